import type { FastifyReply } from 'fastify';
import { stringify } from 'lossless-json';
import type { ErrorCode } from '../../subgraphs/platform/errors/catalogue.ts';

/** What a REST call answers: the status and the JSON text, byte for byte. */
export interface RestResponse {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends compact JSON as `application/json`, without a charset (decisions, section 0). */
export function sendJson(reply: FastifyReply, response: RestResponse): FastifyReply {
  return sendText(reply, response, JSON.stringify(response.body));
}

/** The same for a body that has numbers as `LosslessNumber`s: they are written to the digits that they have. */
export function sendExactJson(reply: FastifyReply, response: RestResponse): FastifyReply {
  return sendText(reply, response, stringify(response.body) ?? '');
}

/** As bytes: Fastify adds a charset to text. */
function sendText(reply: FastifyReply, { status, headers = {} }: RestResponse, json: string): FastifyReply {
  return reply
    .code(status)
    .headers(headers)
    .header('content-type', 'application/json')
    .send(Buffer.from(json));
}

/** The object without the keys whose value is absent: documents omit what is not there. */
export function omitAbsent<T extends Record<string, unknown>>(object: T): Partial<T> {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== null && value !== undefined),
  ) as Partial<T>;
}

/** After how many seconds to come back while a part of the product is away (decisions, section 7). */
const AWAY_SECONDS = 5;

/** What a refusal has besides status and body. @param retryAfter whole seconds, of what was refused for a limit */
export function failureHeaders(code: ErrorCode, retryAfter?: number): Pick<RestResponse, 'headers'> {
  const seconds = retryAfter ?? (code === 'SERVICE_UNAVAILABLE' ? AWAY_SECONDS : undefined);
  return seconds === undefined ? {} : { headers: { 'retry-after': String(seconds) } };
}
