import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionResult } from 'graphql';
import { DOCUMENT_NAMES, type Documents } from '../../schema/operations/types.ts';
import { once } from '../../subgraphs/platform/once.ts';
import type { RequestContext } from '../../subgraphs/platform/principal.ts';
import { projectRoot } from '../../subgraphs/platform/project-root.ts';

/** A document of `schema/operations`, by file name. */
export type DocumentName = keyof Documents;
/** What a document answers. */
export type DataOf<Name extends DocumentName> = Documents[Name]['data'];
/** What a document takes. */
export type VariablesOf<Name extends DocumentName> = Documents[Name]['variables'];

/** Runs a document of `schema/operations` against the gateway: the only way by which a REST call reaches data. */
export type RunDocument = <Name extends DocumentName>(
  name: Name,
  variables: VariablesOf<Name>,
  context: RequestContext,
) => Promise<ExecutionResult<DataOf<Name>>>;

/** A document that an engine has taken; `ready` rejects with what is wrong with it. */
interface Prepared {
  readonly ready: Promise<void>;
}

/** What the REST surfaces need of an engine. */
interface TrustedEngine<Document> {
  prepareTrusted(document: string): Document;
  executeTrusted(
    document: Document,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<ExecutionResult>;
}

/**
 * Reads every document. Each is checked and planned when a call needs it first, which takes milliseconds then; for all
 * of them together it would be a good part of a start.
 * @param options.eager checks and plans all of them now: for a supergraph that was not tested with them
 * @throws when one cannot be read, or with `eager` is not valid against the supergraph: the process must not start
 */
export async function loadDocuments<Document extends Prepared>(
  engine: TrustedEngine<Document>,
  { eager }: { readonly eager: boolean },
): Promise<RunDocument> {
  const folder = join(projectRoot(), 'schema', 'operations');
  const texts = await Promise.all(
    DOCUMENT_NAMES.map(
      async (name) => [name, await readFile(join(folder, `${name}.graphql`), 'utf8')] as const,
    ),
  );
  const documents = new Map<DocumentName, () => Document>(
    texts.map(([name, text]) => [name, once(() => engine.prepareTrusted(text))]),
  );
  if (eager) {
    await Promise.all([...documents.values()].map((document) => document().ready));
  }
  return async <Name extends DocumentName>(
    name: Name,
    variables: VariablesOf<Name>,
    context: RequestContext,
  ) => {
    const document = documents.get(name);
    if (!document) {
      throw new TypeError(`No document is named ${name}`);
    }
    const result = await engine.executeTrusted(document(), variables, context);
    // The types were generated from this very document, and the engine has checked it against the graph.
    return result as ExecutionResult<DataOf<Name>>;
  };
}
