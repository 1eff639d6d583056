import type { Documents } from './documents/types.ts';

export type DocumentName = keyof Documents;
export type DataOf<Name extends DocumentName> = Documents[Name]['data'];
export type VariablesOf<Name extends DocumentName> = Documents[Name]['variables'];

/** The failure of a document. */
export class GraphError extends Error {
  override readonly name = 'GraphError';
  /** A code of the error catalogue, or `OFFLINE` if there was no answer. */
  readonly code: string;
  /** The id of the request in the operator's log; undefined if there was no answer. */
  readonly requestId: string | undefined;
  /** The scopes that the session lacks; empty for other failures. */
  readonly missingScopes: readonly string[];

  constructor(
    code: string,
    message: string,
    requestId?: string,
    { missingScopes = [], ...options }: ErrorOptions & { readonly missingScopes?: readonly string[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.requestId = requestId;
    this.missingScopes = missingScopes;
  }
}

/** Runs some of the console's documents by their hashes. */
export interface Graph<Known extends DocumentName = DocumentName> {
  /** @throws GraphError when it fails, even in part; the signal's reason when it is aborted */
  run<Name extends Known>(
    name: Name,
    variables: VariablesOf<Name>,
    signal?: AbortSignal,
  ): Promise<DataOf<Name>>;
}

interface GraphDeps<Known extends DocumentName> {
  readonly url: string;
  readonly hashes: Readonly<Record<Known, string>>;
  readonly fetch: typeof fetch;
  /** Headers that show that this page has made the request. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Called when the session has ended. */
  readonly onSignedOut: () => void;
}

interface GraphResult<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string; readonly missingScopes?: readonly string[] };
  }[];
}

export function createGraph<Known extends DocumentName>({
  url,
  hashes,
  fetch: send,
  headers,
  onSignedOut,
}: GraphDeps<Known>): Graph<Known> {
  return {
    async run<Name extends Known>(name: Name, variables: VariablesOf<Name>, signal?: AbortSignal) {
      const body = JSON.stringify({
        variables,
        extensions: { persistedQuery: { version: 1, sha256Hash: hashes[name] } },
      });
      const init = {
        method: 'POST',
        headers: { ...headers(), 'content-type': 'application/json', accept: 'application/json' },
        body,
        credentials: 'same-origin',
        redirect: 'error',
        ...(signal && { signal }),
      } as const;
      const { response, result } = await exchange<DataOf<Name>>(() => send(url, init), signal);
      if (response.status === 401) {
        onSignedOut();
      }
      return readData(response, result);
    },
  };
}

async function exchange<Data>(send: () => Promise<Response>, signal: AbortSignal | undefined) {
  try {
    const response = await send();
    const text = await response.text();
    return { response, result: parse<Data>(text) };
  } catch (error) {
    signal?.throwIfAborted();
    throw new GraphError('OFFLINE', 'The server cannot be reached.', undefined, { cause: error });
  }
}

/** Undefined if the text is not an answer of the graph: a proxy may have written it. */
function parse<Data>(text: string): GraphResult<Data> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function readData<Data>(response: Response, result: GraphResult<Data> | undefined): Data {
  const [error] = result?.errors ?? [];
  if (error !== undefined || !response.ok || !result?.data) {
    throw failureOf(response, result);
  }
  return result.data;
}

/** The failure of a call, from its answer. @param text its body, which a proxy may have written */
export function readFailure(response: Response, text: string): GraphError {
  return failureOf(response, parse(text));
}

function failureOf({ headers, status }: Response, result: GraphResult<unknown> | undefined): GraphError {
  const requestId = headers.get('x-request-id') ?? undefined;
  const [error] = result?.errors ?? [];
  if (error === undefined) {
    return new GraphError('SERVICE_UNAVAILABLE', `The server answers with status ${status}.`, requestId);
  }
  const { code = 'INTERNAL_SERVER_ERROR', missingScopes = [] } = error.extensions ?? {};
  return new GraphError(code, error.message, requestId, { missingScopes });
}
