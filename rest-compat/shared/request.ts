import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { UnreadBody } from '../../subgraphs/graph/documented-mutation.ts';
import { ENCODED_BODY, isEncoded } from '../../subgraphs/kernel/http/content-encoding.ts';
import { recordOf } from '../../subgraphs/kernel/objects.ts';

/** Types of a REST request's parts, without its body. */
export interface RestRoute {
  Params: Readonly<Record<string, string>>;
  /** A parameter that is given twice is a list. */
  Querystring: Readonly<Record<string, string | string[]>>;
}
/** A request of a REST route. */
export type RestRequest = FastifyRequest<RestRoute>;

/** A body that has a content encoding or a transfer coding. */
class EncodedBodyError extends Error {
  override readonly name = 'EncodedBodyError';
  readonly statusCode = 415;
}

/** The reason for which a body was not read, if an error has one; else undefined. */
export function unreadBodyOf({
  statusCode,
}: {
  readonly statusCode?: number | undefined;
}): UnreadBody | undefined {
  switch (statusCode) {
    case 413:
      return 'PAYLOAD_TOO_LARGE';
    case 415:
      return 'UNSUPPORTED_MEDIA_TYPE';
    default:
      return undefined;
  }
}

/**
 * Keeps the bodies of this scope as bytes, whatever their content type and charset: JSON is UTF-8. The text itself is parsed,
 * compared and counted; Fastify's parser would read amounts as floats and lose digits. A body that is encoded is not read.
 */
export function takeBodiesAsBytes(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (isEncoded(request)) {
      done(new EncodedBodyError(ENCODED_BODY));
    } else {
      done(null, payload);
    }
  });
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    // Otherwise Fastify would answer a malformed content type with its own error before any parser sees the body.
    raw.headers['content-type'] = 'application/json';
    done();
  });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
}

/** Stands for a body that is not UTF-8. It is not JSON either, but it is not an empty body. */
const NOT_TEXT = '\uFFFD';

/** The body as text; empty when there is none. */
export function bodyText({ body }: RestRequest): string {
  if (!Buffer.isBuffer(body)) {
    return '';
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return NOT_TEXT;
  }
}

/** Reads parameters of the path, each into the variable of the same name. */
export function pathOf<Name extends string>(
  ...names: Name[]
): (request: RestRequest) => Record<Name, string> {
  return ({ params }) => recordOf(names, (name) => params[name] ?? '');
}

/** Reads the body into the variable `body`, and parameters of the path. */
export function bodyOf<Name extends string = never>(
  ...names: Name[]
): (request: RestRequest) => Record<Name, string> & { body: string } {
  const path = pathOf(...names);
  return (request) => ({ ...path(request), body: bodyText(request) });
}

/** Reads the query parameters that the call declares; null for one that is absent. */
export function queryOf<Name extends string>(
  parameters: readonly { readonly name: Name }[],
): (request: RestRequest) => Record<Name, string | null> {
  const names = parameters.map(({ name }) => name);
  return (request) => recordOf(names, (name) => queryValue(request, name));
}

/** The query parameters of a call that are given more than once, in the order of its description. */
export function repeatedOf(
  { parameters = [] }: { readonly parameters?: readonly { readonly name: string }[] },
  { query }: RestRequest,
): string[] {
  return parameters.map(({ name }) => name).filter((name) => Array.isArray(query[name]));
}

/** A query parameter as text; null when it is absent. A call with a repeated one is rejected: see {@link repeatedOf}. */
export function queryValue({ query }: RestRequest, name: string): string | null {
  const value = query[name];
  return value === undefined ? null : String(value);
}
