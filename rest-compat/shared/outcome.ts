import type { ExecutionResult } from 'graphql';
import { CATALOGUE, type ErrorCode, isErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';
import type { Failure } from '../../subgraphs/platform/errors/result.ts';

/** A mutation's payload, as the trusted documents select it. */
export interface Payload {
  readonly userErrors: readonly { code: string; message: string; path?: readonly string[] | null }[];
  /** Of a call that was refused for a limit: whole seconds after which to try again. */
  readonly retryAfter?: number | null;
}

/** What became of an operation, for a surface to turn into bytes. */
export type Outcome<T> =
  | { readonly kind: 'data'; readonly data: T }
  | { readonly kind: 'refused'; readonly failures: readonly Failure[]; readonly retryAfter?: number }
  | { readonly kind: 'fault' };

/** Codes that say that a part of the product could not be reached. */
const UNAVAILABLE: ReadonlySet<unknown> = new Set([
  'SERVICE_UNAVAILABLE',
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
]);

/** What is answered while the store or a subgraph is away (decisions, section 7). */
export const AWAY = {
  kind: 'refused',
  failures: [{ code: 'SERVICE_UNAVAILABLE', message: CATALOGUE.SERVICE_UNAVAILABLE.message }],
} as const satisfies Outcome<never>;

/**
 * Reads a result: its data; a refusal, told by an error code that the catalogue knows, or by a part that is away; or a
 * fault of ours, which the gateway has logged.
 */
export function outcomeOf<T>(result: ExecutionResult): Outcome<T> {
  const errors = result.errors ?? [];
  const [error] = errors;
  if (!error) {
    return { kind: 'data', data: result.data as T };
  }
  if (errors.some(({ extensions }) => UNAVAILABLE.has(extensions?.code))) {
    return AWAY;
  }
  const code = error.extensions?.code;
  return typeof code === 'string' && isErrorCode(code) && code !== 'INTERNAL_SERVER_ERROR'
    ? { kind: 'refused', failures: [{ code, message: error.message }] }
    : { kind: 'fault' };
}

/** The same for a mutation whose payload carries `userErrors`. */
export function payloadOutcome<T extends Payload>(result: ExecutionResult, field: string): Outcome<T> {
  const outcome = outcomeOf<Readonly<Record<string, T>>>(result);
  if (outcome.kind !== 'data') {
    return outcome;
  }
  const payload = outcome.data[field];
  if (!payload) {
    return { kind: 'fault' };
  }
  if (payload.userErrors.length === 0) {
    return { kind: 'data', data: payload };
  }
  const failures = payload.userErrors.map(toFailure);
  return { kind: 'refused', failures, ...(payload.retryAfter != null && { retryAfter: payload.retryAfter }) };
}

function toFailure({ code, message, path }: Payload['userErrors'][number]): Failure {
  return { code: code as ErrorCode, message, ...(path ? { path } : {}) };
}
