import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GraphQLError, Kind, parse } from 'graphql';
import { messageOf } from '../../../subgraphs/platform/errors/message-of.ts';
import { OperatorError } from '../../../subgraphs/platform/errors/operator-error.ts';
import type { Engine } from '../../engine/engine.ts';

/** A file with a document that can be read, whether the graph has what it asks for or not. */
interface DocumentFile {
  readonly path: string;
  readonly text: string;
  readonly operationNames: readonly (string | null)[];
}

function operationNamesOf(text: string): (string | null)[] {
  const names = parse(text, { noLocation: true }).definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value ?? null] : [],
  );
  // The only operation of a document need not be named in a request.
  return names.length > 1 ? names : [null, ...names.filter((name) => name !== null)];
}

async function readDocument(path: string): Promise<DocumentFile> {
  try {
    // The text must have the hash that the file has: no byte may be passed over.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const text = decoder.decode(await readFile(path));
    return { path, text, operationNames: operationNamesOf(text) };
  } catch (error) {
    throw new OperatorError(`The trusted document ${path} cannot be read: ${messageOf(error)}`);
  }
}

async function readFolder(folder: string): Promise<DocumentFile[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (error) {
    throw new OperatorError(`The folder of trusted documents cannot be read: ${messageOf(error)}`);
  }
  const paths = names.filter((name) => name.endsWith('.graphql')).map((name) => join(folder, name));
  return Promise.all(paths.map(readDocument));
}

async function prepare(
  engine: Pick<Engine, 'prepare'>,
  { path, text: query, operationNames }: DocumentFile,
): Promise<readonly GraphQLError[]> {
  try {
    const found = operationNames.map((operationName) => engine.prepare({ query, operationName }));
    return (await Promise.all(found)).flat();
  } catch (error) {
    throw new OperatorError(`The trusted document ${path} cannot be planned: ${messageOf(error)}`);
  }
}

/**
 * Reads and plans the documents of a folder (`*.graphql`), all of which clients may run.
 * @returns their texts
 * @throws an `OperatorError` that names the file, when one cannot be read or clients could not run it
 */
export async function loadTrustedDocuments(
  engine: Pick<Engine, 'prepare'>,
  folder: string,
): Promise<string[]> {
  const files = await readFolder(folder);
  for (const file of files) {
    const [issue] = await prepare(engine, file);
    if (issue !== undefined) {
      throw new OperatorError(`Clients cannot run the trusted document ${file.path}: ${issue.message}`);
    }
  }
  return files.map(({ text }) => text);
}

/**
 * Reads the documents of a folder (`*.graphql`), and plans those that clients may run; the rest, which ask for what
 * is hidden from clients, are left out.
 * @returns the texts of those that clients may run
 * @throws an `OperatorError` that names the file, when one cannot be read
 */
export async function loadPublicDocuments(
  engine: Pick<Engine, 'prepare'>,
  folder: string,
): Promise<string[]> {
  const files = await readFolder(folder);
  const issues = await Promise.all(files.map((file) => prepare(engine, file)));
  return files.filter((_file, index) => issues[index]?.length === 0).map(({ text }) => text);
}
