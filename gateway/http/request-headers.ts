import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isHiddenInLog } from '../../subgraphs/kernel/person/mask-numbers.ts';
import { findHostIssue } from './host-header.ts';

/** The form of request ids that are taken over from clients. */
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** Headers whose differing values count as none. They become empty, which is never a valid key or `Idempotency-Key`. */
const ONE_VALUE: ReadonlySet<string> = new Set(['idempotency-key', 'x-api-key', 'api_key', 'x-internal-key']);
/** Headers whose first value node keeps. This code joins different values, as node does for other headers. */
const FIRST_KEPT: ReadonlySet<string> = new Set(['authorization', 'content-type']);
/** Headers whose repetitions matter: cookies of the same name are ambiguous, and each Host counts. */
const LEFT_ALONE: ReadonlySet<string> = new Set(['cookie', 'host']);

/**
 * Counts a header with repeated equal values once, and removes a key that was sent with different values (decisions,
 * section 8, "Repeated headers"). Node joins values with commas, or keeps the first one.
 */
export function mergeRepeatedHeaders({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): void {
  if (rawHeaders.length === 2 * Object.keys(headers).length) {
    return;
  }
  for (const [name, values] of valuesByName(rawHeaders)) {
    const [first, ...others] = new Set(values);
    if (values.length === 1 || LEFT_ALONE.has(name)) {
      continue;
    }
    if (others.length === 0) {
      headers[name] = first;
    } else if (ONE_VALUE.has(name)) {
      headers[name] = '';
    } else if (FIRST_KEPT.has(name)) {
      headers[name] = values.join(', ');
    }
  }
}

function valuesByName(rawHeaders: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase();
    found.set(name, [...(found.get(name) ?? []), String(rawHeaders[index + 1])]);
  }
  return found;
}

/**
 * The client's `x-request-id` when it has a safe form, otherwise a new UUID (decisions, section 0). One with a card number or a
 * credential is not safe: the id is in every log line.
 */
export function requestIdOf(request: Pick<IncomingMessage, 'headers'>): string {
  const inbound = request.headers['x-request-id'];
  return typeof inbound === 'string' && REQUEST_ID.test(inbound) && !isHiddenInLog(inbound)
    ? inbound
    : randomUUID();
}

/** Answers 400 in the shape of the request's surface. */
type AnswerBadRequest = (request: FastifyRequest, reply: FastifyReply, message: string) => FastifyReply;

/** Rejects requests without one valid `Host`. Add it after the hook for request ids, and before all others. */
export function addHostCheck(app: FastifyInstance, answer: AnswerBadRequest): void {
  app.addHook('onRequest', (request, reply, done) => {
    const issue = findHostIssue(request.raw);
    if (issue === undefined) {
      done();
    } else {
      answer(request, reply, issue);
    }
  });
}
