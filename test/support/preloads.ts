import { resolve } from 'node:path';
import type { Connection } from 'mongoose';

/** The first that knows the command `bulkWrite`. */
const BULK_WRITE_WIRE_VERSION = 25;

/** Modules of this folder that change a process from within, before it starts. */
export type Preload = 'hold-at-command' | 'record-spans' | 'without-bulk-write' | 'wrong-clock';

/** Environment of a process that loads these first. */
export function preloading(...preloads: readonly Preload[]): { readonly NODE_OPTIONS: string } {
  const flags = preloads.map((name) => `--import=${resolve(`dist/test/support/${name}.js`)}`);
  return { NODE_OPTIONS: flags.join(' ') };
}

/** Whether a store takes writes to several collections in one command, if nothing is preloaded. */
export async function knowsBulkWrite(connection: Connection): Promise<boolean> {
  const { maxWireVersion } = await connection.getClient().db('admin').command({ hello: 1 });
  return Number(maxWireVersion) >= BULK_WRITE_WIRE_VERSION;
}
