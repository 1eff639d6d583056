import type { FastifyReply } from 'fastify';
import { LosslessNumber, stringify } from 'lossless-json';
import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';

/** The answer to a REST call. */
export interface RestResponse {
  readonly status: number;
  /** Its keys in the documented order. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends compact JSON as `application/json`, without a charset (decisions, section 0). A `LosslessNumber` keeps its digits.
 */
export function sendJson(reply: FastifyReply, response: RestResponse): FastifyReply {
  return sendText(reply, response, stringify(response.body) ?? '');
}

/** Sends a body without a `LosslessNumber`, which a faster function can write. */
export function sendPlainJson(reply: FastifyReply, response: RestResponse): FastifyReply {
  return sendText(reply, response, JSON.stringify(response.body));
}

function sendText(reply: FastifyReply, { status, headers }: RestResponse, text: string): FastifyReply {
  if (headers) {
    reply.headers(headers);
  }
  // Bytes, because Fastify adds a charset to text.
  return reply.code(status).header('content-type', 'application/json').send(Buffer.from(text));
}

/** A decimal of the graph as a JSON number of the same digits. */
export function exactNumber(decimal: string | null | undefined): LosslessNumber | undefined {
  return decimal == null ? undefined : new LosslessNumber(decimal);
}

/** Seconds until the next attempt while a part of the product is unavailable (decisions, section 7). */
const AWAY_SECONDS = 5;

/** The headers of an error. @param retryAfter whole seconds until the next attempt, if a limit was reached */
export function failureHeaders(code: ErrorCode, retryAfter?: number): Pick<RestResponse, 'headers'> {
  const seconds = retryAfter ?? (code === 'SERVICE_UNAVAILABLE' ? AWAY_SECONDS : undefined);
  return seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } };
}
