import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory } from '../../kernel/private-directory.ts';

/**
 * Keeps the demo tenant's key beside the other generated secrets (mode 0600), so that GraphiQL of a development server can
 * offer it after a restart. For development only: a real key is shown once and kept by its holder.
 * @param created the key, when the demo tenant was just created
 * @returns the demo tenant's key, if this directory has one
 */
export function keepDemoKey(dataDir: string, created: string | undefined): string | undefined {
  const path = join(dataDir, 'demo-key.secret');
  if (created !== undefined) {
    makePrivateDirectory(dataDir);
    writeFileSync(path, `${created}\n`, { mode: 0o600 });
    return created;
  }
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined;
}
