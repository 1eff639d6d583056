import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { hasCode } from '../../../subgraphs/kernel/errors/thrown.ts';

/**
 * The file that lists the other files of the folder. Unlisted files, such as pages of an earlier build, are not
 * served.
 */
export const MANIFEST = 'manifest.json';

/** A file that `npm run build` has made to be served. */
export interface BuiltFile {
  /** Below the path of its pages, such as `/docs/`; empty for the first page. */
  readonly path: string;
  /** In the folder. */
  readonly file: string;
  /** Whether its path has a hash of its content, so that its bytes never change. */
  readonly isAsset: boolean;
}

/** A file as it is sent. */
export interface ReadFile extends BuiltFile {
  readonly content: Buffer;
  /** The same, by gzip. */
  readonly zipped: Buffer;
  readonly etag: string;
}

/** The files of a folder. */
export interface BuiltFiles {
  /**
   * Reads a file at its first request, and caches it: all files are a few megabytes.
   * @returns undefined if no file has this path
   */
  find(path: string): Promise<ReadFile | undefined>;
}

/** Opens the built files; undefined if there are none. */
export async function openBuiltFiles(folder: string): Promise<BuiltFiles | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const list: readonly BuiltFile[] = JSON.parse(text);
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

async function read(file: BuiltFile, folder: string): Promise<ReadFile> {
  return toSend(file, await readFile(join(folder, file.file)));
}

/** A file with this content, ready to be sent. */
export async function toSend(file: BuiltFile, content: Buffer): Promise<ReadFile> {
  return {
    ...file,
    content,
    zipped: await promisify(gzip)(content),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`,
  };
}
