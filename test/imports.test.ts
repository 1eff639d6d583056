import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importsOf } from './borders.ts';
import { findCycles, unusedExports } from './imports.ts';

const FOLDERS = ['gateway', 'rest-compat', 'schema', 'subgraphs', 'test'];

/** Exports that no import of ours names, and the reason why they are there. */
const USED_ELSEWHERE: Readonly<Record<string, string>> = {
  'gateway/app/warm-up.ts': 'gateway/build/load.cjs awaits it.',
  'gateway/build/dist.mjs': 'jest.config.mjs calls it.',
  'gateway/console/documents/types.ts': 'Generated.',
  'schema/operations/types.ts': 'Generated.',
  'test/runner/fixtures/empty.fixture.ts': 'A test file without tests.',
  'test/runner/globals.ts': 'Stands in for @jest/globals.',
  'test/runner/projects.ts': 'jest.config.mjs reads it.',
};

function sources(): Map<string, string> {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:tsx?|mjs)$/.test(name))
      .map((name) => join(folder, name)),
  );
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]));
}

test('another file imports each export', () => {
  const unused = unusedExports(sources()).filter(({ path }) => !path.endsWith('.test.ts'));
  expect(unused.filter(({ path }) => !(path in USED_ELSEWHERE))).toEqual([]);
  expect([...new Set(unused.map(({ path }) => path))].toSorted()).toEqual(Object.keys(USED_ELSEWHERE));
});

test('no file imports itself, directly or through others', () => {
  const files = sources();
  const arrows = new Map([...files].map(([path, content]) => [path, importsOf(path, content)]));
  expect(files.size).toBeGreaterThan(1_000);
  expect(findCycles(arrows)).toEqual([]);
});

describe('unusedExports()', () => {
  test.each([
    'export const used = 1;',
    'export async function used() {}',
    'export interface used {}',
    "export { one as used } from './b.ts';",
    'const used = 1;\nexport { used };',
    'export const { used } = object;',
  ])('finds the name in %j', (content) => {
    expect(unusedExports(new Map([['a.ts', content]]))).toEqual([{ path: 'a.ts', name: 'used' }]);
  });

  test.each([
    "import { used } from '../a.ts';",
    "import {\n  other,\n  type used as mine,\n} from '../a.ts';",
    "export { used as better } from '../a.ts';",
    "import * as a from '../a.ts';",
    "const { used } = await import('../a.ts');",
  ])('counts %j as a use', (importer) => {
    const files = new Map([
      ['a.ts', 'export const used = 1;'],
      ['folder/b.ts', importer],
    ]);
    expect(unusedExports(files).filter(({ path }) => path === 'a.ts')).toEqual([]);
  });

  test('does not count an import of the same name from another file', () => {
    const files = new Map([
      ['a.ts', 'export const used = 1;'],
      ['b.ts', "import { used } from './c.ts';\nimport { other } from './a.ts';"],
    ]);
    expect(unusedExports(files)).toEqual([{ path: 'a.ts', name: 'used' }]);
  });
});

describe('findCycles()', () => {
  test('finds a way back, also behind other ways', () => {
    const arrows = { a: ['b'], b: ['c', 'd'], c: [], d: ['b'] };
    expect(findCycles(new Map(Object.entries(arrows)))).toEqual(['b → d → b']);
  });

  test('lets several ways lead to one place', () => {
    const arrows = { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] };
    expect(findCycles(new Map(Object.entries(arrows)))).toEqual([]);
  });
});
