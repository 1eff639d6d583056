import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { z } from 'zod';
import { DatabaseError } from '../kernel/database/database-error.ts';
import { hasCode } from '../kernel/errors/thrown.ts';

/**
 * Reads a file that {@link writeJsonFile} wrote; `undefined` when there is none.
 * @param remedy the fix when it is damaged
 * @throws DatabaseError when it holds something else
 */
export function readJsonFile<T>(path: string, schema: z.ZodType<T>, remedy: string): T | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  }
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new DatabaseError(`${path} is damaged: ${remedy}`);
  }
  return parsed.data;
}

/** Replaces the file at `path`: after a crash it holds all of the old value or all of the new one. */
export function writeJsonFile(path: string, value: unknown): void {
  const draft = `${path}.${process.pid}`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
