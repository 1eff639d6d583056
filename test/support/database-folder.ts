import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProcess } from '../../subgraphs/dev-store/process-identity.ts';

/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 4 * 2 ** 30;
const OWNED = /^remitgraph-test-(\d+)-/;

/**
 * Makes the folder for the database server of this test run. It is in memory where the system has room for it: development
 * stores sync every write, thousands a minute, and all tests would wait for a slow disk.
 */
export function makeDatabaseFolder(): string {
  const parent = hasRoomInMemory() ? MEMORY : tmpdir();
  removeForgotten(parent);
  return mkdtempSync(join(parent, `remitgraph-test-${process.pid}-`));
}

/** Programs may have to run from the folder, so memory that is mounted without that is no place for it. */
function hasRoomInMemory(): boolean {
  try {
    const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
    const runsNothing = mounts.some((line) => line.includes(` ${MEMORY} `) && line.includes('noexec'));
    const { bavail, bsize } = statfsSync(MEMORY);
    return !runsNothing && bavail * bsize >= MEMORY_NEEDED_BYTES;
  } catch {
    return false;
  }
}

/** Removes what runs of this user left that were ended by force. */
function removeForgotten(parent: string): void {
  for (const name of readdirSync(parent)) {
    const owner = OWNED.exec(name)?.[1];
    const path = join(parent, name);
    if (owner !== undefined && findProcess(Number(owner)) === undefined && isOwn(path)) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function isOwn(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.uid === process.getuid?.();
}
