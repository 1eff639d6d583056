import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

const FOLDERS = ['gateway', 'rest-compat', 'schema', 'subgraphs'];
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;
/** Tests, and what only they use. */
const FOR_TESTS = /\.test\.ts$|(?:^|\/)(?:test|testing[^/]*)(?:\/|\.ts$)/;

/** Every import from one file of the product to another; what only tests use is left out. */
function imports(): [importer: string, imported: string][] {
  return FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((path) => path.endsWith('.ts') && !FOR_TESTS.test(path)),
  ).flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(RELATIVE_IMPORT)].map(([, name]): [string, string] => [
      path,
      normalize(join(dirname(path), String(name))),
    ]),
  );
}

/** The two folders side by side that an import leads between, and where they are; null within a folder and its subfolders. */
function siblings([importer, imported]: readonly [string, string]):
  | [parent: string, from: string, to: string]
  | null {
  const [from, to] = [importer.split('/'), imported.split('/')];
  const shared = from.findIndex((part, index) => part !== to[index]);
  const isFile = shared === from.length - 1 || shared === to.length - 1;
  return isFile ? null : [from.slice(0, shared).join('/'), String(from[shared]), String(to[shared])];
}

test('no two folders side by side import each other', () => {
  const arrows = new Map<string, string>();
  for (const one of imports()) {
    const [parent, from, to] = siblings(one) ?? [];
    if (from !== undefined) {
      arrows.set(`${parent}: ${from} → ${to}`, one.join(' imports '));
    }
  }
  expect(arrows.size).toBeGreaterThan(50);
  const both = [...arrows].filter(([arrow]) => {
    const [parent, from, to] = arrow.split(/: | → /);
    return arrows.has(`${parent}: ${to} → ${from}`);
  });
  expect(both).toEqual([]);
});

/** The text of a section of a README. */
function section(readme: string, title: string): string {
  const [, rest = ''] = readFileSync(readme, 'utf8').split(`\n## ${title}\n`);
  return String(rest.split('\n## ')[0]);
}

/** The files that a text names. A path that is not whole begins in a folder of the last whole one that has such a file. */
function filesNamedIn(text: string): string[] {
  const folders: string[] = [''];
  return [...text.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => {
    if (existsSync(name)) {
      folders.unshift(...foldersAbove(name));
    }
    const paths = folders.map((folder) => join(folder, name));
    return paths.find((path) => existsSync(path)) ?? `no ${name}`;
  });
}

function foldersAbove(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersAbove(folder)];
}

test.each([
  ['How a create runs', 25],
  ['How a subscription event is sent', 19],
])('%s names files that are there', (title, count) => {
  const files = filesNamedIn(section('gateway/README.md', title));
  expect(files.filter((file) => file.startsWith('no '))).toEqual([]);
  expect(new Set(files).size).toBe(count);
});
