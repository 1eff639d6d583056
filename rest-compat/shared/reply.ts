import type { FastifyReply } from 'fastify';
import { LosslessNumber, stringify } from 'lossless-json';
import type { ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';

/** What a REST call answers. */
export interface RestResponse {
  readonly status: number;
  /** Its keys in the documented order. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends compact JSON as `application/json`, without a charset (decisions, section 0). A `LosslessNumber` is written to
 * the digits that it has.
 */
export function sendJson(reply: FastifyReply, { status, body, headers = {} }: RestResponse): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json')
    .send(
      // As bytes: Fastify adds a charset to text.
      Buffer.from(stringify(body) ?? ''),
    );
}

/** The object without the keys whose value is absent: the documents leave out what is not there. */
export function omitAbsent<T extends Record<string, unknown>>(object: T): Partial<T> {
  const present = Object.entries(object).filter(([, value]) => value !== null && value !== undefined);
  // `fromEntries` forgets which keys it was given.
  return Object.fromEntries(present) as Partial<T>;
}

/** A decimal of the graph as a JSON number of the same digits. */
export function exactNumber(decimal: string | null | undefined): LosslessNumber | undefined {
  return decimal == null ? undefined : new LosslessNumber(decimal);
}

/** After how many seconds to come back while a part of the product is away (decisions, section 7). */
const AWAY_SECONDS = 5;

/** The headers of an error. @param retryAfter whole seconds after which to try again, when a limit was reached */
export function failureHeaders(code: ErrorCode, retryAfter?: number): Pick<RestResponse, 'headers'> {
  const seconds = retryAfter ?? (code === 'SERVICE_UNAVAILABLE' ? AWAY_SECONDS : undefined);
  return seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } };
}
