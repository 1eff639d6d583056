import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { storeLayout } from '../../subgraphs/dev-store/layout.ts';
import { memoryLog } from '../../subgraphs/dev-store/testing/script-process.ts';
import { makePrivateDirectory } from '../../subgraphs/kernel/private-directory.ts';
import { openConfiguredDatabase } from './database.ts';

const ROOT = process.cwd();
const STATIC = /^(?:import|export) (?!type )(?:[^;]*? from )?'(\.[^']+\.ts)';/gms;
const DYNAMIC = /\bimport\('(\.[^']+\.ts)'\)/g;

/** Every module of the product that is loaded with `entry`, as paths from the root. */
function modulesOf(entry: string, edges: readonly RegExp[]): string[] {
  const found = new Set([resolve(ROOT, entry)]);
  for (const path of found) {
    const source = readFileSync(path, 'utf8');
    for (const [, imported = ''] of edges.flatMap((edge) => [...source.matchAll(edge)])) {
      found.add(resolve(dirname(path), imported));
    }
  }
  return [...found].map((path) => relative(ROOT, path));
}

const ofDevStore = (path: string) => path.startsWith('subgraphs/dev-store/');

describe('the code of the development store', () => {
  test.each(['gateway/app/main.ts', 'gateway/cli/admin/main.ts', 'gateway/standalone/main.ts'])(
    'is not loaded by %s if there is a cluster',
    (entry) => {
      const modules = modulesOf(entry, [STATIC]);
      expect(modules.length).toBeGreaterThan(20);
      expect(modules.filter(ofDevStore)).toEqual([]);
    },
  );

  test('is loaded by a server without a cluster', () => {
    const modules = modulesOf('gateway/app/main.ts', [STATIC, DYNAMIC]);
    expect(modules.filter(ofDevStore)).toContain('subgraphs/dev-store/open-dev-store.ts');
  });
});

describe('with MONGODB_URI', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'remitgraph-database-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  test('DATA_DIR is not made', async () => {
    const { log, lines } = memoryLog();
    const DATA_DIR = join(folder, 'not-made');
    const database = await openConfiguredDatabase(
      { MONGODB_URI: process.env.TEST_MONGODB_URI!, DATA_DIR },
      log,
    );
    await database.close();
    expect(existsSync(DATA_DIR)).toBe(false);
    expect(lines).toEqual([expect.objectContaining({ store: 'uri', msg: 'store ready' })]);
  });

  test('data of a development store in DATA_DIR is reported and not used', async () => {
    const { log, lines } = memoryLog();
    const layout = storeLayout(folder);
    makePrivateDirectory(layout.root);
    writeFileSync(layout.ownerFile, '');
    const database = await openConfiguredDatabase(
      { MONGODB_URI: process.env.TEST_MONGODB_URI!, DATA_DIR: folder },
      log,
    );
    await database.close();
    expect(lines[0]?.msg).toBe(
      `${layout.root} holds the data of an embedded store, which is not used under MONGODB_URI`,
    );
  });
});
