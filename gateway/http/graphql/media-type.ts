import type { ExecutionResult } from 'graphql';

/** The media types of answers. */
export type ResponseMediaType = (typeof OFFERED)[number];

/** The media type of GraphQL over HTTP: with it, statuses have a meaning. */
const GRAPHQL_RESPONSE = 'application/graphql-response+json';
/** The older media type: every answer to a well-formed request has status 200. */
export const JSON_RESPONSE = 'application/json';
/** GraphQL over SSE. */
export const EVENT_STREAM = 'text/event-stream';

/** In our order of preference. */
const OFFERED = [GRAPHQL_RESPONSE, JSON_RESPONSE, EVENT_STREAM] as const;

const WILDCARDS = new Set(['*/*', 'application/*']);

interface MediaRange {
  readonly range: string;
  /** Its weight, 0 to 1. */
  readonly quality: number;
}

function readRange(text: string): MediaRange {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { range, quality: Number.isNaN(value) ? 0 : value };
}

/**
 * The media type of the answer; `null` when the client accepts none of ours. Without `accept`, and when only a wildcard fits,
 * it is `application/json`, as older clients expect. Source: GraphQL over HTTP (first edition, September 2026), "Accept" and "Body".
 */
export function negotiate(accept: string | undefined): ResponseMediaType | null {
  if (accept === undefined || accept.trim() === '') {
    return JSON_RESPONSE;
  }
  const ranges = accept.split(',').map(readRange);
  const qualityOf = (type: string) => ranges.find(({ range }) => range === type)?.quality;
  const wildcard = ranges.find(({ range }) => WILDCARDS.has(range))?.quality ?? 0;
  let best: ResponseMediaType | null = null;
  let bestQuality = 0;
  for (const type of OFFERED) {
    const quality = qualityOf(type) ?? 0;
    if (quality > bestQuality) {
      best = type;
      bestQuality = quality;
    }
  }
  return wildcard > bestQuality && qualityOf(JSON_RESPONSE) !== 0 ? JSON_RESPONSE : best;
}

/** Statuses of results without data that are not the client's fault. */
const OUR_ERRORS = new Map<unknown, number>([
  ['INTERNAL_SERVER_ERROR', 500],
  ['OPERATION_TIMEOUT', 504],
]);

/**
 * The HTTP status of a result. With `application/json` it is always 200. Otherwise 400 for a request that did not run, 500
 * for an internal error and 504 for an operation that took too long.
 *
 * Source: GraphQL over HTTP (first edition, September 2026), "Status Codes". It recommends two newer statuses, which are not
 * used, because clients and monitoring know the older ones: 294 for data with errors (here 200), and 422 for a document that
 * does not pass validation (here 400).
 */
export function statusOf(result: ExecutionResult, mediaType: ResponseMediaType): number {
  if (mediaType !== GRAPHQL_RESPONSE || 'data' in result) {
    return 200;
  }
  const ours = (result.errors ?? []).flatMap(({ extensions }) => OUR_ERRORS.get(extensions.code) ?? []);
  return ours[0] ?? 400;
}
