import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import type { StoreLayout } from './layout.ts';

const schema = z.object({
  /** On-disk format: only providers of this format are tried from now on. */
  format: z.enum(['mongod', 'secantus-rs', 'secantus-py']),
  /** The server that first made the data, for the operator. */
  description: z.string(),
  since: z.string(),
});

/** Which program's data `DATA_DIR` holds. Kept from the first time that a server was ready to take writes. */
export type StoreOwner = z.output<typeof schema>;

export function readOwner(layout: StoreLayout): StoreOwner | undefined {
  const remedy = `it says which program keeps the data in ${layout.root}; put it back from a backup.`;
  return readJsonFile(layout.ownerFile, schema, remedy);
}

export function writeOwner(layout: StoreLayout, owner: StoreOwner): void {
  writeJsonFile(layout.ownerFile, owner);
}
