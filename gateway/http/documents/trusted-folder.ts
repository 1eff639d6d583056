import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DocumentNode, type GraphQLError, type GraphQLSchema, Kind, parse } from 'graphql';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { messageOf } from '../../../subgraphs/kernel/errors/thrown.ts';
import type { Engine, EngineContext } from '../../engine/index.ts';
import type { OwnDocument } from './client-documents.ts';

/** A file that was read. Its content need not be a document. */
interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

/** @throws an `OperatorError` when there is no document in the file */
function operationNamesOf({ path, text }: DocumentFile): (string | null)[] {
  let document: DocumentNode;
  try {
    document = parse(text, { noLocation: true });
  } catch (error) {
    throw unreadable(path, error);
  }
  const names = document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? [node.name?.value ?? null] : [],
  );
  // A request need not name the operation of a document that has only one.
  return names.length > 1 ? names : [null, ...names.filter((name) => name !== null)];
}

function unreadable(path: string, error: unknown): OperatorError {
  return new OperatorError(`The trusted document ${path} cannot be read: ${messageOf(error)}`);
}

async function readDocument(path: string): Promise<DocumentFile> {
  try {
    // The text must have the same hash as the file: the decoder may drop no byte.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { path, text: decoder.decode(await readFile(path)) };
  } catch (error) {
    throw unreadable(path, error);
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
  engine: Pick<Engine<EngineContext>, 'prepare'>,
  file: DocumentFile,
): Promise<readonly GraphQLError[]> {
  const { path, text: query } = file;
  const names = operationNamesOf(file);
  try {
    const found = names.map((operationName) => engine.prepare({ query, operationName }));
    return (await Promise.all(found)).flat();
  } catch (error) {
    throw new OperatorError(`The trusted document ${path} cannot be planned: ${messageOf(error)}`);
  }
}

/**
 * Reads and plans the documents of a folder (`*.graphql`). Clients must be able to run all of them.
 * @returns their texts
 * @throws OperatorError that names the file, when it cannot be read or clients cannot run it
 */
export async function loadTrustedDocuments(
  engine: Pick<Engine<EngineContext>, 'prepare'>,
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
 * Reads the documents of a folder (`*.graphql`). Clients may run some; the others select fields that are hidden from
 * them. Each document is validated when a client names it, because validating all of them would slow down a start,
 * and again after each new schema of `engine`: another supergraph may hide other fields.
 * @throws OperatorError that names the file, when it cannot be read
 */
export async function readOwnDocuments(
  engine: Pick<Engine<EngineContext>, 'check' | 'publicSchema'>,
  folder: string,
): Promise<OwnDocument[]> {
  return (await readFolder(folder)).map((file) => {
    const known = new WeakMap<GraphQLSchema, boolean>();
    return {
      text: file.text,
      isPublic: () => {
        const { publicSchema } = engine;
        const isPublic =
          known.get(publicSchema) ??
          operationNamesOf(file).every(
            (operationName) => engine.check({ query: file.text, operationName }).length === 0,
          );
        known.set(publicSchema, isPublic);
        return isPublic;
      },
    };
  });
}
