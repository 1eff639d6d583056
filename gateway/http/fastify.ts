import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { EVENT_STREAM, JSON_RESPONSE, negotiate, type ResponseMediaType, statusOf } from './media-type.ts';
import {
  badRequest,
  checkContentType,
  type GraphQLParameters,
  type HttpRefusal,
  isRefusal,
  operationKind,
  readParameters,
  readUrlParameters,
} from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `checkGraphQLRequest`. */
    graphqlRequest: GraphQLHttpRequest | null;
  }
}

/** What is known of a request that passed the checks. */
export interface GraphQLHttpRequest {
  readonly parameters: GraphQLParameters;
  readonly mediaType: ResponseMediaType;
}

const METHODS = 'GET, POST';
const OTHER_METHODS = ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const NOT_ACCEPTABLE: HttpRefusal = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message: 'The answer can be application/graphql-response+json, application/json or text/event-stream.',
};

const METHOD_NOT_ALLOWED: HttpRefusal = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'GraphQL is served to GET, for queries, and to POST.',
  headers: { allow: METHODS },
};

const CHANGE_BY_GET: HttpRefusal = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'GET runs queries only.',
  headers: { allow: 'POST' },
};

/** Sends a refusal; its form is the same for every media type. */
export function sendRefusal(reply: FastifyReply, refusal: HttpRefusal): FastifyReply {
  const { status, code, message, headers } = refusal;
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': `${JSON_RESPONSE}; charset=utf-8` })
    .send(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}

/** Sets status and content type of a result, and returns the text to send. */
export function writeResult(
  reply: FastifyReply,
  result: ExecutionResult,
  mediaType: ResponseMediaType,
): string {
  reply.code(statusOf(result, mediaType)).header('content-type', `${mediaType}; charset=utf-8`);
  return JSON.stringify(result);
}

/** The refusal of what Fastify found wrong with a request before any handler; `null` for a fault of ours. */
export function refusalOf(error: { readonly statusCode?: number | undefined }): HttpRefusal | null {
  switch (error.statusCode) {
    case 400:
      return badRequest('The request body must be JSON.');
    case 413:
      return { status: 413, code: 'PAYLOAD_TOO_LARGE', message: 'The request body is too large.' };
    case 415:
      return checkContentType(undefined);
    default:
      return null;
  }
}

function check(request: FastifyRequest): GraphQLHttpRequest | HttpRefusal {
  const mediaType = negotiate(request.headers.accept);
  if (mediaType === null) {
    return NOT_ACCEPTABLE;
  }
  const isGet = request.method === 'GET';
  const refusal = isGet ? null : checkContentType(request.headers['content-type']);
  if (refusal !== null) {
    return refusal;
  }
  const parameters = isGet
    ? readUrlParameters(request.query as Record<string, unknown>)
    : readParameters(request.body);
  if (isRefusal(parameters)) {
    return parameters;
  }
  if (isGet && changesByGet(parameters, mediaType)) {
    return CHANGE_BY_GET;
  }
  return { parameters, mediaType };
}

function changesByGet(parameters: GraphQLParameters, mediaType: ResponseMediaType): boolean {
  const kind = operationKind(parameters);
  // A browser's EventSource can only GET; a subscription changes nothing.
  const isReading = kind === OperationTypeNode.QUERY || kind === null;
  return !(isReading || (kind === OperationTypeNode.SUBSCRIPTION && mediaType === EVENT_STREAM));
}

/**
 * A `preValidation` hook for GraphQL routes: refuses what is not well-formed, and puts the rest on
 * `request.graphqlRequest`.
 * Source: GraphQL over HTTP (draft), sections "Request" and "Status codes".
 */
export async function checkGraphQLRequest(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const checked = check(request);
  if (isRefusal(checked)) {
    return sendRefusal(reply, checked);
  }
  request.graphqlRequest = checked;
  return undefined;
}

/** Prepares a scope for GraphQL routes at `path`: the checks, and 405 for the methods that have no route. */
export function addGraphQLChecks(scope: FastifyInstance, path: string): void {
  scope.decorateRequest('graphqlRequest', null);
  scope.addHook('preValidation', async (request, reply) =>
    OTHER_METHODS.includes(request.method) ? undefined : checkGraphQLRequest(request, reply),
  );
  scope.route({
    method: OTHER_METHODS,
    url: path,
    // Whatever body there is stays unread.
    onRequest: async (_request, reply) => sendRefusal(reply, METHOD_NOT_ALLOWED),
    handler: async (_request, reply) => sendRefusal(reply, METHOD_NOT_ALLOWED),
  });
}
