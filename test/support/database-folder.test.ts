import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { makeDatabaseFolder } from './database-folder.ts';

/** Above the highest number that Linux gives. */
const NOBODY = 2 ** 22 + 1;

test('the files of a killed run are removed, those of a running one stay', () => {
  const running = makeDatabaseFolder();
  const forgotten = mkdtempSync(join(dirname(running), `remitgraph-test-${NOBODY}-`));
  const next = makeDatabaseFolder();
  expect([running, forgotten, next].map((path) => existsSync(path))).toEqual([true, false, true]);
  for (const path of [running, next]) {
    rmSync(path, { recursive: true });
  }
});
