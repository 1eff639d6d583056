import type { Call } from '../call.ts';
import { text } from './document.ts';

const LIMITS = {
  'ratelimit-policy': {
    description:
      'The limits that the call counts for, by name: `q` calls in any `w` seconds. Absent without a limit.',
    schema: text,
  },
  ratelimit: {
    description: 'The rest of these limits: `r` calls within the next `t` seconds. Absent without a limit.',
    schema: text,
  },
};
const ETAG = {
  etag: {
    description:
      'Tag of these bytes for this key. Send it as `If-None-Match` to get 304 while they are the same.',
    schema: text,
  },
};
const ERROR_CODE = {
  'x-error-code': { description: 'The code of the error, where the body has none.', schema: text },
};
const REPLAYED = {
  'idempotent-replayed': {
    description: '`true` if this is the stored answer to an earlier call with the same `Idempotency-Key`.',
    schema: { ...text, const: 'true' },
  },
};

/** An answer of a call. */
interface Answer {
  readonly call: Pick<Call, 'method' | 'replays'>;
  readonly status: number;
  /** The names of its schemas. */
  readonly schemas: readonly string[];
  /** Whether the calls of the surface have limits. */
  readonly isLimited: boolean;
  /** The schemas of the surface's errors without a code. */
  readonly uncoded: readonly string[];
}

/** The headers of an answer, beside those of every answer. */
export function headersOfAnswer({ call, status, schemas, isLimited, uncoded }: Answer): object {
  const isFound = call.method === 'GET' && (status === 200 || status === 304);
  return {
    ...(isLimited && (status < 400 || status === 429) && LIMITS),
    ...(isFound && ETAG),
    ...(call.replays === true && status < 300 && REPLAYED),
    ...(schemas.some((name) => uncoded.includes(name)) && ERROR_CODE),
  };
}
