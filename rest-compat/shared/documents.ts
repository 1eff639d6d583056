import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyReply } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { DOCUMENT_NAMES } from '../../schema/operations/types.ts';
import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import { contextOf } from '../../subgraphs/kernel/http/request-context.ts';
import { once } from '../../subgraphs/kernel/once.ts';
import type { RequestContext } from '../../subgraphs/kernel/principal.ts';
import { projectRoot } from '../../subgraphs/kernel/project-root.ts';
import type { Call, DataOf, DocumentName, VariablesOf } from './call.ts';
import { type Outcome, outcomeOf, respond, type SurfaceErrors } from './outcome.ts';
import type { RestResponse } from './reply.ts';
import { type RestRequest, repeatedOf } from './request.ts';

/** Runs a document of `schema/operations` on the gateway. REST calls reach data in no other way. */
export type RunDocument = <Name extends DocumentName>(
  name: Name,
  variables: VariablesOf<Name>,
  context: RequestContext,
) => Promise<ExecutionResult<DataOf<Name>>>;

/** A prepared document. `ready` rejects with the errors of an invalid document. */
interface Prepared {
  readonly ready: Promise<void>;
}

/** The part of an engine that the REST surfaces use. */
interface TrustedEngine<Document> {
  prepareTrusted(document: string): Document;
  executeTrusted(
    document: Document,
    variables: Readonly<Record<string, unknown>>,
    context: RequestContext,
  ): Promise<ExecutionResult>;
}

/**
 * Reads every document. Each document is checked and planned at its first call, which takes milliseconds; for all documents
 * together it would be a large part of a start.
 * @param options.eager checks and plans all documents now, for a supergraph that was not tested with them
 * @throws when a document cannot be read or, with `eager`, is not valid for the supergraph: the process must not start
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
  const fragments = fragmentsOf(texts.map(([, text]) => text));
  const documents = new Map<DocumentName, () => Document>(
    texts.map(([name, text]) => [name, once(() => engine.prepareTrusted(withFragments(text, fragments)))]),
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
    // The cast: the types were generated from this document, and the engine has checked it against the graph.
    return result as ExecutionResult<DataOf<Name>>;
  };
}

/** The fragments of all documents, by name: a document may spread those of another file. */
function fragmentsOf(texts: readonly string[]): ReadonlyMap<string, string> {
  const found = texts.flatMap((text) => [...text.matchAll(/^fragment (\w+) on .*?^}$/gms)]);
  return new Map(found.map(([definition, name = '']) => [name, definition]));
}

/** The document with the fragments that it and they spread. A fragment that no file has stays missing: the engine names it. */
function withFragments(text: string, fragments: ReadonlyMap<string, string>): string {
  const spread = [...text.matchAll(/\.\.\.(\w+)/g)].map(([, name = '']) => name);
  const missing = fragments.get(spread.find((name) => !text.includes(`fragment ${name} on `)) ?? '');
  return missing === undefined ? text : withFragments(`${text}\n${missing}\n`, fragments);
}

/** Runs the document of a call. A query parameter that is given more than once is INVALID_REQUEST, before the others that are wrong. */
export async function runCall<Name extends DocumentName>(
  call: Call<Name>,
  run: RunDocument,
  request: RestRequest,
  reply: FastifyReply,
): Promise<Outcome> {
  const result = await run(call.document, call.variables(request), contextOf(request, reply));
  const read = outcomeOf(result);
  const outcome = rejectRepeated(call, request, read.kind === 'success' ? call.present(read.data) : read);
  noteFailure(request, outcome);
  return outcome;
}

/** The errors of callers and servers that stand before those of a query. */
const BEFORE_QUERY: ReadonlySet<ErrorCode> = new Set(['UNAUTHENTICATED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE']);
const OF_QUERY: ReadonlySet<ErrorCode> = new Set(['INVALID_REQUEST', 'VALIDATION_FAILED']);

/** @param outcome the graph's answer to the query, in which a repeated parameter is one text */
function rejectRepeated(call: Pick<Call, 'parameters'>, request: RestRequest, outcome: Outcome): Outcome {
  const repeated = repeatedOf(call, request);
  const own = outcome.kind === 'failure' ? outcome.failures : [];
  if (
    repeated.length === 0 ||
    outcome.kind === 'internalError' ||
    own.some(({ code }) => BEFORE_QUERY.has(code))
  ) {
    return outcome;
  }
  const others = own.filter(({ code, path }) => OF_QUERY.has(code) && !repeated.includes(String(path?.[0])));
  const failures = repeated.map(
    (name): Failure => ({ code: 'INVALID_REQUEST', message: `${name} must be given once`, path: [name] }),
  );
  return { kind: 'failure', failures: [...failures, ...others] };
}

/** The log of requests has the code that the caller gets: the graph has none for a record that is not there. */
function noteFailure({ operationNote: note }: RestRequest, outcome: Outcome): void {
  if (note && outcome.kind === 'failure') {
    note.code ??= outcome.failures[0]?.code;
  }
}

/** Makes the answer to a success: the body, with the status of the first answer below 300. */
export function presentSuccess({ answers }: Pick<Call, 'answers'>): (body: unknown) => RestResponse {
  const status = Object.keys(answers)
    .map(Number)
    .find((one) => one < 300);
  if (status === undefined) {
    throw new TypeError('A call has no answer below 300');
  }
  return (body) => ({ status, body });
}

interface Answering {
  readonly run: RunDocument;
  readonly errors: SurfaceErrors;
  /** Writes the answer. */
  send(reply: FastifyReply, response: RestResponse): FastifyReply;
}

/** Makes the handler of a call's route: it runs the document, and sends the outcome. */
export function handlerOf(
  call: Call,
  { run, errors, send }: Answering,
): (request: RestRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const present = presentSuccess(call);
  return async (request, reply) =>
    send(reply, respond(await runCall(call, run, request, reply), errors, present));
}
