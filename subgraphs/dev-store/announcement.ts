import { rmSync } from 'node:fs';
import { z } from 'zod';
import { readJsonFile, writeJsonFile } from './json-file.ts';
import type { StoreLayout } from './layout.ts';
import { isRunning, ownIdentity } from './process-identity.ts';

const schema = z.object({ uri: z.string(), pid: z.int().positive(), startedAt: z.string() });

/** Announces the address of the embedded store to commands beside this process. */
export function announce(layout: StoreLayout, uri: string): void {
  writeJsonFile(layout.announcementFile, { uri, ...ownIdentity() });
}

export function withdraw(layout: StoreLayout): void {
  rmSync(layout.announcementFile, { force: true });
}

/** Reads the address of the embedded store of the process that holds the directory; ignores a dead process's announcement. */
export function readAnnounced(layout: StoreLayout): string | undefined {
  const announced = readJsonFile(
    layout.announcementFile,
    schema,
    'stop what runs on it, then remove the file.',
  );
  return announced && isRunning(announced) ? announced.uri : undefined;
}
