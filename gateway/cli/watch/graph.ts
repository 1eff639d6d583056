import type { Client } from 'graphql-ws';
import { OperatorError } from '../../../subgraphs/kernel/errors/operator-error.ts';
import { createGraphSocket, isKeyRefused } from '../graph-socket.ts';
import type { WatchOptions } from './arguments.ts';
import { CursorGoneError, type StatusChange, type WatchedGraph } from './watch.ts';

// The cursor is read before the rest: changes that are missing in the answer come as events.
const FIND = `query ($reference: String!) {
  latestEventCursor
  me { id }
  requestMoney(referenceId: $reference) { status statusDetails updatedAt }
}`;
const FOLLOW = `subscription ($reference: String!, $after: String!) {
  requestMoneyStatusChanged(referenceId: $reference, after: $after) {
    cursor status statusDetails occurredAt
  }
}`;

const ANSWER_WITHIN_MS = 10_000;
const GONE: ReadonlySet<unknown> = new Set(['CURSOR_EXPIRED', 'INVALID_CURSOR']);
/** Codes of temporary errors. */
const PASSING: ReadonlySet<unknown> = new Set([
  'SERVICE_UNAVAILABLE',
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
  'OPERATION_TIMEOUT',
  'INTERNAL_SERVER_ERROR',
  'RATE_LIMITED',
  'SUBSCRIPTION_LIMIT_EXCEEDED',
]);

interface GraphError {
  readonly message: string;
  readonly extensions?: { readonly code?: unknown };
}

interface Found {
  readonly latestEventCursor: string;
  readonly me: { readonly id: string };
  readonly requestMoney: {
    readonly status: string;
    readonly statusDetails: string;
    readonly updatedAt: string;
  } | null;
}

interface Followed {
  readonly requestMoneyStatusChanged: {
    readonly cursor: string;
    readonly status: string;
    readonly occurredAt: string;
    readonly statusDetails: string | null;
  };
}

/** The graph of a server, by HTTP and WebSocket. `close` ends what is open. */
export function openGraph({ url, key, tenant }: Omit<WatchOptions, 'reference'>): WatchedGraph & {
  close(): Promise<void>;
} {
  const endpoint = new URL('/graphql', url);
  const client = createGraphSocket(url, key);
  return {
    find: async (reference) => {
      const found = await query(endpoint, key, reference);
      if (tenant !== undefined && found.me.id !== tenant) {
        throw new OperatorError(`KEY is a key of ${found.me.id}, not of ${tenant}.`);
      }
      if (found.requestMoney === null) {
        throw new OperatorError(`${found.me.id} has no money request ${reference}.`);
      }
      const { updatedAt: at, ...rest } = found.requestMoney;
      return { ...rest, at, cursor: found.latestEventCursor };
    },
    follow: (reference, after) => follow(client, reference, after),
    close: async () => client.dispose(),
  };
}

interface GraphAnswer {
  readonly data?: Found | null;
  readonly errors?: readonly GraphError[];
}

async function query(endpoint: URL, key: string, reference: string): Promise<Found> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ query: FIND, variables: { reference } }),
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  });
  // The graph answers what the query selects.
  const { data, errors }: GraphAnswer = JSON.parse(await response.text());
  if (errors !== undefined || !data) {
    throw toError(errors ?? []);
  }
  return data;
}

async function* follow(client: Client, reference: string, after: string): AsyncGenerator<StatusChange> {
  const events = client.iterate<Followed>({ query: FOLLOW, variables: { reference, after } });
  try {
    for await (const { data, errors } of events) {
      if (errors !== undefined || !data) {
        throw toError(errors ?? []);
      }
      const { cursor, status, occurredAt: at, statusDetails } = data.requestMoneyStatusChanged;
      yield { cursor, status, at, statusDetails: statusDetails ?? '' };
    }
  } catch (error) {
    throw Array.isArray(error) ? toError(error) : closeError(error);
  }
}

/** Turns the graph's errors into one error. */
function toError(errors: readonly GraphError[]): Error {
  const [first = { message: 'The graph has answered nothing' }] = errors;
  const code = first.extensions?.code;
  if (GONE.has(code)) {
    return new CursorGoneError(first.message);
  }
  return code === undefined || PASSING.has(code)
    ? new Error(first.message)
    : new OperatorError(first.message);
}

/** The error of a closed socket: it is about the key, or about the server or the way to it. */
function closeError(error: unknown): unknown {
  return isKeyRefused(error) ? new OperatorError('KEY is not a valid API key, or no longer.') : error;
}
