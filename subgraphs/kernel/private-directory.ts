import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './errors/thrown.ts';

/**
 * Makes a folder and the missing ones above it, readable by their owner alone; an existing one stays as it is. Node's own
 * `recursive` never returns where the file system answers ENOENT below a folder that exists, as `/proc` does.
 * @throws the system's error
 */
export function makePrivateDirectory(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (hasCode(error, 'EEXIST') && statSync(path).isDirectory()) {
      return;
    }
    if (hasCode(error, 'ENOENT') && !existsSync(dirname(path))) {
      makePrivateDirectory(dirname(path));
      makePrivateDirectory(path);
      return;
    }
    throw error;
  }
}
