import type { FastifyReply } from 'fastify';
import { LosslessNumber, stringify } from 'lossless-json';
import type { ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import { sendBytes } from './conditional.ts';

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
  for (const [name, value] of Object.entries(headers ?? {})) {
    // A list that the reply already has gets longer: limits of the call beside those of its surface.
    const former = reply.getHeader(name);
    reply.header(name, former === undefined ? value : `${former}, ${value}`);
  }
  // Bytes, because Fastify adds a charset to text.
  return sendBytes(reply.code(status), 'application/json', Buffer.from(text));
}

/** A decimal of the graph as a JSON number of the same digits. */
export function exactNumber(decimal: string | null | undefined): LosslessNumber | undefined {
  return decimal == null ? undefined : new LosslessNumber(decimal);
}

/** Seconds until the next attempt while a part of the product is unavailable (decisions, section 7). */
const AWAY_SECONDS = 5;
const AWAY: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'RATE_STALE']);

/**
 * The headers of an error. Where its documented body has no place for a code, `X-Error-Code` has it.
 * @param retryAfter whole seconds until the next attempt, if a limit was reached
 */
export function failureHeaders(
  code: ErrorCode,
  { hasCode, retryAfter }: { readonly hasCode: boolean; readonly retryAfter?: number | undefined },
): Pick<RestResponse, 'headers'> {
  const seconds = retryAfter ?? (AWAY.has(code) ? AWAY_SECONDS : undefined);
  const headers = {
    ...(!hasCode && { 'x-error-code': code }),
    ...(seconds !== undefined && { 'retry-after': String(seconds) }),
  };
  return Object.keys(headers).length === 0 ? {} : { headers };
}
