import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readCases } from './fixture.ts';

const folder = resolve('test/contract');
const cases = new Set(readCases(folder).map(({ file, title }) => `${file}: ${title}`));

/** The rows of COVERAGE.md: a rule, and what proves it. */
const rows = readFileSync(join(folder, 'COVERAGE.md'), 'utf8')
  .split('\n')
  .map((line) => /^\| (.+?) \| (`.+`) \|$/.exec(line))
  .filter((match) => match !== null)
  .map(([, rule = '', proofs = '']) => [rule, proofs.slice(1, -1).split('` `')] as const);

/** Whether there is such a case, or such a test: its title stands in the file, in quotes. */
function exists(proof: string): boolean {
  const [, path, title] = /^(\S+\.test\.ts): (.+)$/.exec(proof) ?? [];
  if (path === undefined || title === undefined) {
    return cases.has(proof);
  }
  const text = existsSync(resolve(path)) ? readFileSync(resolve(path), 'utf8') : '';
  return text.includes(`'${title}'`) || text.includes(`"${title}"`);
}

describe('Every proof that COVERAGE.md names is there', () => {
  test('all rows are read', () => {
    const lines = readFileSync(join(folder, 'COVERAGE.md'), 'utf8').split('\n');
    const tables = lines.filter((line) => line === '| Rule | Proof |').length;
    expect(tables).toBeGreaterThan(10);
    expect(rows).toHaveLength(lines.filter((line) => line.startsWith('| ')).length - tables);
  });

  test.each(rows)('%s', (_rule, proofs) => {
    expect(proofs.filter((proof) => !exists(proof))).toEqual([]);
  });
});
