import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { DatabaseError } from '../kernel/database/database-error.ts';
import type { DatabaseLog } from '../kernel/database/open-database.ts';
import { hasCode } from '../kernel/errors/thrown.ts';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import type { StoreLayout } from './layout.ts';
import { findProcess, isRunning, type ProcessIdentity } from './process-identity.ts';

const schema = z.object({
  pid: z.int().positive(),
  startedAt: z.string(),
  /** Part of the server's command line that no other process's has: the directory of its data. */
  dataPath: z.string(),
});

type ServerRecord = z.output<typeof schema>;

const STOP_TIMEOUT_MS = 10_000;
const POLL_MS = 25;

/** Notes the server that runs on `dataPath`, for the start after a crash of this process. */
export function recordServer(layout: StoreLayout, pid: number, dataPath: string): void {
  const server = findProcess(pid);
  if (server !== undefined) {
    writeRecord(layout, { pid, startedAt: server.startedAt, dataPath });
  }
}

export function forgetServer(layout: StoreLayout): void {
  rmSync(layout.serverFile, { force: true });
}

/**
 * Ends the server that a process which died without closing its store has left behind. The caller holds the directory.
 * A process is only signalled when its number, its start time and its command line are those of the recorded server.
 * @throws DatabaseError when it does not end
 */
export async function endLeftoverServer(layout: StoreLayout, log: DatabaseLog): Promise<void> {
  const record = readRecord(layout);
  if (record !== undefined) {
    if (isRecorded(record)) {
      log.warn({ pid: record.pid }, 'ending the store server that a process which crashed left running');
      await endProcess(record);
    }
    forgetServer(layout);
  }
}

function isRecorded({ pid, startedAt, dataPath }: ServerRecord): boolean {
  const found = findProcess(pid);
  return found?.startedAt === startedAt && found.command.includes(dataPath);
}

function readRecord(layout: StoreLayout): ServerRecord | undefined {
  const remedy = `see that no server runs on the data in ${layout.root}, then remove the file.`;
  return readJsonFile(layout.serverFile, schema, remedy);
}

function writeRecord(layout: StoreLayout, record: ServerRecord): void {
  writeJsonFile(layout.serverFile, record);
}

async function endProcess(identity: ProcessIdentity): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    send(identity.pid, signal);
    while (Date.now() < deadline) {
      if (!isRunning(identity)) {
        return;
      }
      await sleep(POLL_MS);
    }
  }
  throw new DatabaseError(
    `the store server left behind by an earlier start (process ${identity.pid}) does not end`,
  );
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // It may have ended by itself since it was looked up.
    if (!hasCode(error, 'ESRCH')) {
      throw error;
    }
  }
}
