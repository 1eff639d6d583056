import type { ExecutionResult } from 'graphql';

/** The media types of answers. */
export type ResponseMediaType = (typeof OFFERED)[number];

/** The media type of GraphQL over HTTP: with it, statuses have a meaning. */
export const GRAPHQL_RESPONSE = 'application/graphql-response+json';
/** The media type of older clients: every answer to a well-formed request has status 200. */
export const JSON_RESPONSE = 'application/json';
/** GraphQL over SSE. */
export const EVENT_STREAM = 'text/event-stream';

const UTF8 = /^utf-?8$/;

/** In our order of preference among types that the client names. */
const OFFERED = [GRAPHQL_RESPONSE, JSON_RESPONSE, EVENT_STREAM] as const;
/** The same among types that only a wildcard of the client covers. An event stream is only for clients that name it. */
const UNNAMED = [JSON_RESPONSE, GRAPHQL_RESPONSE] as const;

interface MediaRange {
  readonly range: string;
  /** Its weight, 0 to 1. */
  readonly quality: number;
}

/** Answers are UTF-8, so that a range with another charset covers none of them. */
function readRange(text: string): MediaRange {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const parameterOf = (name: string) =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(parameterOf('q') ?? 1);
  const charset = parameterOf('charset')?.replaceAll('"', '') ?? 'utf-8';
  return { range, quality: Number.isNaN(quality) || !UTF8.test(charset) ? 0 : quality };
}

/** The largest weight of ranges that are written so; `undefined` without one. */
function qualityOf(ranges: readonly MediaRange[], written: string): number | undefined {
  const found = ranges.flatMap(({ range, quality }) => (range === written ? quality : []));
  return found.length === 0 ? undefined : Math.max(...found);
}

interface Choice {
  readonly type: ResponseMediaType;
  readonly quality: number;
}

/**
 * The media type of the answer; `null` when the client accepts none of ours. The most specific range that covers a type has
 * its weight; among equal weights, a type that the client names comes before one that a wildcard covers. Without `accept`,
 * and when only a wildcard fits, it is `application/json`, as older clients expect. Source: GraphQL over HTTP (first edition,
 * September 2026), "Accept" and "Body"; RFC 9110, section 12.5.1.
 */
export function negotiate(accept: string | undefined): ResponseMediaType | null {
  if (accept === undefined || accept.trim() === '') {
    return JSON_RESPONSE;
  }
  const ranges = accept.split(',').map(readRange);
  const named = OFFERED.map((type): Choice => ({ type, quality: qualityOf(ranges, type) ?? 0 }));
  const wildcard = qualityOf(ranges, 'application/*') ?? qualityOf(ranges, '*/*') ?? 0;
  const unnamed = UNNAMED.filter((type) => qualityOf(ranges, type) === undefined).map(
    (type): Choice => ({ type, quality: wildcard }),
  );
  let best: Choice | undefined;
  for (const choice of [...named, ...unnamed]) {
    if (choice.quality > (best?.quality ?? 0)) {
      best = choice;
    }
  }
  return best?.type ?? null;
}

/** The status of data with errors. No registry has it yet: to HTTP it is any other 2xx. */
export const PARTIAL_SUCCESS = 294;
const UNPROCESSABLE = 422;

/** Statuses of results without data, by the code of their error. Others are unprocessable. */
const STATUS_OF = new Map<unknown, number>([
  ['GRAPHQL_PARSE_FAILED', 400],
  ['TOKEN_LIMIT_EXCEEDED', 400],
  // Apollo's clients know the status.
  ['PERSISTED_QUERY_NOT_FOUND', 400],
  ['QUERY_NOT_IN_SAFELIST', 403],
  ['INTERNAL_SERVER_ERROR', 500],
  ['OPERATION_TIMEOUT', 504],
]);

/**
 * The HTTP status of a result. With `application/json` it is always 200. Otherwise 200 for data, 294 for data with errors,
 * 400 for a document that cannot be parsed, 422 for any other request that did not run, 403 for a document that must not,
 * 500 for an internal error and 504 for an operation that took too long.
 *
 * Source: GraphQL over HTTP (first edition, September 2026), "Status Codes".
 */
export function statusOf(result: ExecutionResult, mediaType: ResponseMediaType): number {
  if (mediaType !== GRAPHQL_RESPONSE) {
    return 200;
  }
  const { errors = [] } = result;
  if ('data' in result) {
    return errors.length === 0 ? 200 : PARTIAL_SUCCESS;
  }
  const known = errors.flatMap(({ extensions }) => STATUS_OF.get(extensions.code) ?? []);
  return known[0] ?? UNPROCESSABLE;
}
