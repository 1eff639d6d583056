import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const SOURCES = ['subgraphs', 'gateway', 'rest-compat'];
const LISTED = /`((?:subgraphs|gateway)\/[^`]+\.ts)`/g;

test('the list of workarounds for SecantusDB names every source that has one, and no other', () => {
  const withWorkaround = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|subgraphs\/dev-store\//.test(path))
    .filter((path) => readFileSync(path, 'utf8').includes('SecantusDB'));
  const readme = readFileSync('subgraphs/dev-store/README.md', 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('| `'));
  const listed = rows.flatMap((row) => [...row.matchAll(LISTED)].map(([, path]) => path));
  expect(withWorkaround.length).toBeGreaterThan(0);
  expect(listed.toSorted()).toEqual(withWorkaround.toSorted());
});
