import { hasTooManyLevels } from '../levels.ts';
import { TransportError } from './http-error.ts';
import type { HttpAnswer } from './http-exchange.ts';
import type { SubgraphError, SubgraphResponse } from './transport.ts';

const JSON_MEDIA_TYPE = /^application\/(?:[\w.-]+\+)?json(?:\s*;|\s*$)/i;
const OK = 200;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isPath(value: unknown): value is (string | number)[] {
  return (
    Array.isArray(value) &&
    value.every((segment) => typeof segment === 'string' || typeof segment === 'number')
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The caller reports an answer that is not a GraphQL response.
    return undefined;
  }
}

function readError(error: unknown): SubgraphError {
  const { message, path, extensions } = isObject(error) ? error : {};
  return {
    message: typeof message === 'string' ? message : 'The subgraph reported an error without a message.',
    ...(isPath(path) ? { path } : {}),
    ...(isObject(extensions) && !hasTooManyLevels(extensions) ? { extensions } : {}),
  };
}

/** The errors of a response; empty if they are absent, null or an empty list. */
function readErrors(errors: unknown): readonly SubgraphError[] {
  if (Array.isArray(errors)) {
    return errors.map(readError);
  }
  return errors === undefined || errors === null
    ? []
    : [
        {
          message: 'The subgraph reported errors in a form that cannot be read.',
          extensions: { code: 'SUBGRAPH_RESPONSE_INVALID' },
        },
      ];
}

/**
 * Reads a GraphQL response; `null` for anything else. `data` is the value's own, not a copy.
 * Source: GraphQL specification (October 2021), section 7.1.
 */
export function toSubgraphResponse(value: unknown): SubgraphResponse | null {
  if (!isObject(value)) {
    return null;
  }
  const { data } = value;
  const errors = readErrors(value.errors);
  if (!isObject(data) && errors.length === 0) {
    return null;
  }
  return {
    ...(isObject(data) || data === null ? { data } : {}),
    ...(errors.length === 0 ? {} : { errors }),
    ...(isObject(value.extensions) ? { extensions: value.extensions } : {}),
  };
}

/**
 * The GraphQL response in an answer, whatever its status: a server may answer 400 with the reason in `errors`.
 *
 * @throws a `TransportError` when there is none.
 */
export function readAnswer({ status, contentType, body }: HttpAnswer): SubgraphResponse {
  const response =
    contentType === '' || JSON_MEDIA_TYPE.test(contentType) ? toSubgraphResponse(parseJson(body)) : null;
  if (response !== null) {
    return response;
  }
  throw status === OK
    ? new TransportError('SUBGRAPH_RESPONSE_INVALID', "The subgraph's answer is not a GraphQL response.")
    : new TransportError('SUBGRAPH_HTTP_ERROR', `The subgraph answered with HTTP status ${status}.`);
}
