import { closeSync, openSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { hasCode } from '../kernel/errors/thrown.ts';

const TAIL_BYTES = 4096;
const TAIL_LINES = 6;

/** Starts a server's log anew and keeps the one before it as `….previous`: together they take the room of two runs. */
export function startServerLog(path: string): void {
  try {
    renameSync(path, `${path}.previous`);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) {
      throw error;
    }
  }
  writeFileSync(path, '', { mode: 0o600 });
}

/** The last lines of a server's log, for an error message. */
export function tailServerLog(path: string): string {
  const { size } = statSync(path);
  const buffer = Buffer.alloc(Math.min(size, TAIL_BYTES));
  const file = openSync(path, 'r');
  try {
    readSync(file, buffer, 0, buffer.length, size - buffer.length);
  } finally {
    closeSync(file);
  }
  const lines = buffer.toString('utf8').split('\n').filter(Boolean).slice(-TAIL_LINES);
  return lines.length === 0 ? `${path} is empty` : `${path} ends with:\n${lines.join('\n')}`;
}
