import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findUnproven, type RanTest, readRows, readTests } from './coverage.ts';

const TABLE = '| Rule | Proof |\n|---|---|\n';
const SUM = 'lib/sum.test.ts';
const VERIFIERS = 'subgraphs/webhooks/verifiers/verify-webhook.test.ts';
/** Proofs whose titles are made from the values of a table, in the order of COVERAGE.md. */
const FROM_A_TABLE = [
  `${VERIFIERS}: request_money: a second behind the tolerance`,
  `${VERIFIERS}: request_money: a second before the tolerance`,
  'test/e2e/create-kill.test.ts: of a cancel',
];

const ran = (file: string, titles: readonly string[], status = 'passed'): RanTest => ({
  file,
  titles,
  status,
});
const unproven = (proofs: string, tests: readonly RanTest[]) =>
  findUnproven(readRows(`${TABLE}| A rule | ${proofs} |`), tests);

describe('Proofs of the contract', () => {
  test('COVERAGE.md has nothing in its tables but rules with their proofs', () => {
    const rows = readRows(readFileSync(resolve('test/contract/COVERAGE.md'), 'utf8'));
    expect(rows.length).toBeGreaterThan(300);
    expect(() => readRows(`${TABLE}| A rule | without a proof |`)).toThrow('"| A rule | without a proof |"');
    expect(() => unproven('`no title`', [])).toThrow('"no title" names no test and no case');
  });

  test('every test and case that COVERAGE.md names is written in its file', () => {
    const rows = readRows(readFileSync(resolve('test/contract/COVERAGE.md'), 'utf8'));
    const named = new Set(rows.flatMap(({ proofs }) => proofs));
    const isUnwritten = (proof: string) => {
      const [, path = '', title = ''] = /^(\S+?): (.+)$/.exec(proof) ?? [];
      const file = path.endsWith('.test.ts') ? path : `test/contract/${path}.http`;
      return !readFileSync(resolve(file), 'utf8').replaceAll(String.raw`\'`, "'").includes(title);
    };
    expect([...named].filter(isUnwritten)).toEqual(FROM_A_TABLE);
  });

  test.each<[string, string, readonly RanTest[]]>([
    ['a test', `\`${SUM}: adds\``, [ran(SUM, ['sum', 'adds'])]],
    ['a group', `\`${SUM}: sum\``, [ran(SUM, ['sum', 'adds']), ran(SUM, ['sum', 'counts'])]],
    ['a table', `\`${SUM}: adds %d (%s)\``, [ran(SUM, ['adds 1 (one)']), ran(SUM, ['adds 2 (\n)'])]],
    ['two', `\`${SUM}: adds\` \`${SUM}: counts\``, [ran(SUM, ['adds']), ran(SUM, ['counts'])]],
    [
      'a case',
      '`partner/links: page 1`',
      [ran('test/contract/partner.test.ts', ['Arrangement all', 'links', 'page 1'])],
    ],
  ])('%s that has run and passed proves its rule', (_name, proofs, tests) => {
    expect(unproven(proofs, tests)).toEqual([]);
  });

  test.each<[string, string, readonly RanTest[], string]>([
    ['that has not run', `${SUM}: adds`, [ran(SUM, ['adds up'])], 'has not run'],
    ['of another file', `${SUM}: adds`, [ran('lib/other.test.ts', ['adds'])], 'has not run'],
    ['that was skipped', `${SUM}: adds`, [ran(SUM, ['adds'], 'pending')], 'pending'],
    [
      'that has failed in one of two ways',
      `${SUM}: adds`,
      [ran(SUM, ['all', 'adds']), ran(SUM, ['split', 'adds'], 'failed')],
      'failed',
    ],
    [
      'of a table with a failed row',
      `${SUM}: adds %d`,
      [ran(SUM, ['adds 1']), ran(SUM, ['adds 2'], 'failed')],
      'failed',
    ],
    [
      'of a group with a failed test',
      `${SUM}: sum`,
      [ran(SUM, ['sum', 'adds'], 'failed'), ran(SUM, ['sum', 'counts'])],
      'failed',
    ],
    [
      'that is a case of another file',
      'partner/links: page 1',
      [ran('test/contract/partner.test.ts', ['Arrangement all', 'users', 'page 1'])],
      'has not run',
    ],
    ['whose title only looks like it', `${SUM}: a+b`, [ran(SUM, ['aab'])], 'has not run'],
  ])('a test %s proves nothing', (_name, proof, tests, reason) => {
    expect(unproven(`\`${proof}\``, tests)).toEqual([`${proof}: ${reason} (A rule)`]);
  });

  test('the tests of a run are those that Jest reports', () => {
    const root = resolve('.');
    const assertionResults = [{ ancestorTitles: ['sum'], title: 'adds', status: 'passed' }];
    expect(
      readTests({ testResults: [{ name: join(root, 'lib', 'sum.test.ts'), assertionResults }] }, root),
    ).toEqual([ran(SUM, ['sum', 'adds'])]);
  });
});
