import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../../subgraphs/platform/errors/thrown.ts';

/** File of the folder that lists the others. What it does not list is not served, such as pages of an earlier build. */
export const MANIFEST = 'manifest.json';

/** A file of the documentation. */
export interface DocsFile {
  /** Below `/docs/`; empty for the first page. */
  readonly path: string;
  /** In the folder. */
  readonly file: string;
  /** Whether its path has a hash of its content, so that it never means other bytes. */
  readonly isAsset: boolean;
}

/** A file as it is sent. */
export interface ReadFile extends DocsFile {
  readonly content: Buffer;
  readonly etag: string;
}

/** The files of the documentation. */
export interface DocsFiles {
  /** Reads a file at its first request, and keeps it: all files together have some 3 MB. @returns undefined if none has this path */
  find(path: string): Promise<ReadFile | undefined>;
}

/** Opens what the build has made; undefined where it has made none. */
export async function openDocsFiles(folder: string): Promise<DocsFiles | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const list: readonly DocsFile[] = JSON.parse(text);
  const files = new Map(list.map((file) => [file.path, file]));
  const kept = new Map<string, ReadFile>();
  return {
    async find(path) {
      const file = files.get(path);
      const found = kept.get(path) ?? (file && (await read(file, folder)));
      if (found !== undefined) {
        kept.set(path, found);
      }
      return found;
    },
  };
}

async function read(file: DocsFile, folder: string): Promise<ReadFile> {
  const content = await readFile(join(folder, file.file));
  return {
    ...file,
    content,
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  };
}
