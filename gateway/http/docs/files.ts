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
  /** Of the content, hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
  /** Whether its path has the hash, so that it never means other bytes. */
  readonly isAsset: boolean;
}

/** By path. */
export type DocsFiles = ReadonlyMap<string, DocsFile>;

/** Reads what the build has made; undefined where it has made none. */
export async function readDocsFiles(folder: string): Promise<DocsFiles | undefined> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) {
      return undefined;
    }
    throw error;
  });
  if (text === undefined) {
    return undefined;
  }
  const files: readonly DocsFile[] = JSON.parse(text);
  return new Map(files.map((file) => [file.path, file]));
}
