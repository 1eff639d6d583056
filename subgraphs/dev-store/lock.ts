import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseError } from '../kernel/database/database-error.ts';
import { hasCode } from '../kernel/errors/thrown.ts';
import { makePrivateDirectory } from '../kernel/private-directory.ts';
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts';

/** A directory held by this process until it is released. */
export interface DirectoryLock {
  release(): void;
}

const ATTEMPTS = 5;
const BACKOFF_MS = 40;

/**
 * Takes `DATA_DIR` for this process: one embedded store, one process. The lock of a process that is gone, even one whose
 * number went to another process, counts for nothing. Processes are looked up on this machine alone.
 *
 * Each process writes a file of its own name and only then looks for others (Dekker's way): of two that hold
 * the lock one would have had to look before the other had written. Unlike one shared lock file, there is no
 * moment between finding a stale lock and replacing it in which a third process can lose its fresh one.
 *
 * @throws DatabaseError naming the process that holds the directory
 */
export async function lockDirectory(options: { locks: string; dataDir: string }): Promise<DirectoryLock> {
  makePrivateDirectory(options.locks);
  const own = ownIdentity();
  const path = join(options.locks, fileName(own));
  for (let attempt = 1; ; attempt += 1) {
    claim(path, options.dataDir);
    const holder = findHolder(options.locks, own);
    if (holder === undefined) {
      return { release: () => rmSync(path, { force: true }) };
    }
    rmSync(path);
    if (attempt === ATTEMPTS) {
      throw inUse(options.dataDir, holder.pid, holder.since);
    }
    // Two processes that start at once may each see the other and both give up: different pauses let one of them through.
    await sleep(1 + Math.random() * BACKOFF_MS);
  }
}

function claim(path: string, dataDir: string): void {
  try {
    writeFileSync(path, `${new Date().toISOString()}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      throw inUse(dataDir, process.pid, readSince(path));
    }
    throw error;
  }
}

function findHolder(locks: string, own: ProcessIdentity): { pid: number; since: string } | undefined {
  for (const name of readdirSync(locks)) {
    const identity = parseName(name);
    const path = join(locks, name);
    if (identity === undefined || name === fileName(own)) {
      continue;
    }
    if (isRunning(identity)) {
      return { pid: identity.pid, since: readSince(path) };
    }
    rmSync(path, { force: true });
  }
  return undefined;
}

function fileName({ pid, startedAt }: ProcessIdentity): string {
  return `${pid}@${startedAt}`;
}

function parseName(name: string): ProcessIdentity | undefined {
  const [, pid, startedAt] = /^(\d+)@(.+)$/.exec(name) ?? [];
  return pid === undefined || startedAt === undefined ? undefined : { pid: Number(pid), startedAt };
}

function readSince(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return 'a moment ago';
    }
    throw error;
  }
}

function inUse(dataDir: string, pid: number, since: string): DatabaseError {
  const who = pid === process.pid ? `this process (${pid})` : `process ${pid}`;
  return new DatabaseError(
    `${dataDir} is in use by ${who} since ${since}. Stop it, give this process another DATA_DIR, or let ` +
      'several share one store by MONGODB_URI.',
  );
}
