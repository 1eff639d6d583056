import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FOR_TESTS, importsOf } from './borders.ts';
import { findCycles } from './imports.ts';

const FOLDERS = ['gateway', 'rest-compat', 'schema', 'subgraphs'];

/** Every import from one file of the product to another; what only tests use is left out. */
function imports(): [importer: string, imported: string][] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.ts') && !FOR_TESTS.test(path)),
  ).flatMap((path) =>
    importsOf(path, readFileSync(path, 'utf8')).map((imported): [string, string] => [path, imported]),
  );
}

/**
 * The two folders side by side that an import leads between; null within a folder and its subfolders, and between the parts
 * of the product, whose arrows are in borders.ts.
 */
function siblings([importer, imported]: readonly [string, string]): [from: string, to: string] | null {
  const [from, to] = [importer.split('/'), imported.split('/')];
  const shared = from.findIndex((part, index) => part !== to[index]);
  const isFile = shared === from.length - 1 || shared === to.length - 1;
  return isFile || shared === 0
    ? null
    : [from.slice(0, shared + 1).join('/'), to.slice(0, shared + 1).join('/')];
}

test('no folder imports itself through folders beside it', () => {
  const arrows = new Map<string, Set<string>>();
  for (const [from, to] of imports().map((one) => siblings(one) ?? [])) {
    if (from !== undefined && to !== undefined) {
      arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  expect(arrows.size).toBeGreaterThan(20);
  expect(findCycles(arrows)).toEqual([]);
});

/** Files of the repository, without what is installed or built. */
function ownFiles(): string[] {
  const below = [...FOLDERS, 'deploy', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  return [...readdirSync('.'), ...below];
}

/** Names in texts that stand for something else than a file of the repository. */
const NO_FILES = ['x.test.ts', 'relay.config.json', 'openapi-ts.config.mjs'];

test('texts name only files that are there', () => {
  const files = ownFiles();
  const isThere = (readme: string, name: string) =>
    NO_FILES.includes(name) ||
    existsSync(join(dirname(readme), name)) ||
    files.some((path) => path === name || path.endsWith(`/${name}`));
  const texts = files.filter((path) => path.endsWith('.md') && path !== 'CHANGELOG.md');
  const missing = texts.flatMap((readme) =>
    [...readFileSync(readme, 'utf8').matchAll(/`(\w[\w./-]*\.(?:tsx?|mjs|cjs|json|ya?ml|md|graphql))`/g)]
      .map(([, name = '']) => name)
      .filter((name) => !isThere(readme, name))
      .map((name) => `${readme} names ${name}`),
  );
  expect(texts.length).toBeGreaterThan(30);
  expect(missing).toEqual([]);
});
