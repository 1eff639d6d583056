import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccountId } from '../../../../subgraphs/kernel/account.ts';
import { hasCode } from '../../../../subgraphs/kernel/errors/thrown.ts';
import { makePrivateDirectory } from '../../../../subgraphs/kernel/private-directory.ts';

/** The position up to which a tenant's webhooks were forwarded, kept over restarts. */
export interface CursorFile {
  /** Undefined when there is none yet. */
  read(): string | undefined;
  /** Writes the whole file or nothing, even if the process is killed. */
  write(cursor: string): void;
}

/** @param dataDir created if it is missing */
export function createCursorFile(dataDir: string, accountId: AccountId): CursorFile {
  const folder = join(dataDir, 'listen');
  const path = join(folder, `${encodeURIComponent(accountId)}.cursor`);
  return {
    read: () => {
      try {
        return readFileSync(path, 'utf8').trim() || undefined;
      } catch (error) {
        if (hasCode(error, 'ENOENT')) {
          return undefined;
        }
        throw error;
      }
    },
    write: (cursor) => {
      makePrivateDirectory(folder);
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, `${cursor}\n`, { mode: 0o600 });
      renameSync(draft, path);
    },
  };
}
