import type { FastifyReply } from 'fastify';

/** What a REST call answers: the status and the JSON text, byte for byte. */
export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Sends compact JSON as `application/json`, without a charset (decisions, section 0): as bytes, for Fastify adds one to
 * text.
 */
export function sendJson(reply: FastifyReply, { status, body, headers = {} }: RestResponse): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json')
    .send(Buffer.from(JSON.stringify(body)));
}

/** The object without the keys whose value is absent: documents omit what is not there. */
export function omitAbsent<T extends Record<string, unknown>>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>;
}
