import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ExecutionResult, OperationTypeNode } from 'graphql';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { type GraphQLRequest, type RequestFailure, resultText } from '../../engine/index.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import { onlyEvent } from './event-streams.ts';
import { readJsonBodies, UnreadBodyError } from './json-body.ts';
import { resumeAfter } from './last-event-id.ts';
import {
  EVENT_STREAM,
  GRAPHQL_RESPONSE,
  JSON_RESPONSE,
  negotiate,
  PARTIAL_SUCCESS,
  type ResponseMediaType,
  statusOf,
} from './media-type.ts';
import {
  badRequest,
  checkContentType,
  type HttpFailure,
  isHttpFailure,
  readParameters,
  readUrlParameters,
} from './request.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the checks of `addGraphQLChecks`. */
    graphqlRequest: GraphQLHttpRequest | null;
  }
}

/** The checked parts of a request. */
export interface GraphQLHttpRequest {
  /** It has its document, also if the client sent a hash. */
  readonly parameters: GraphQLRequest;
  readonly mediaType: ResponseMediaType;
  /** Only set for event streams; requests with a single answer run no subscription. */
  readonly isSubscription: boolean;
}

const METHODS = 'GET, HEAD, POST';
/** Seconds after which to try again while keys cannot be looked up. */
const AWAY_SECONDS = 5;
const OTHER_METHODS = ['PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const NOT_ACCEPTABLE: HttpFailure = {
  status: 406,
  code: 'NOT_ACCEPTABLE',
  message: 'The answer can be application/graphql-response+json, application/json or text/event-stream.',
};

const METHOD_NOT_ALLOWED: HttpFailure = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'GraphQL is served to GET, for queries, and to POST.',
  headers: { allow: METHODS },
};

const CHANGE_BY_GET: HttpFailure = {
  status: 405,
  code: 'METHOD_NOT_ALLOWED',
  message: 'GET runs queries only.',
  headers: { allow: 'POST' },
};

/**
 * Sends a failure, as a GraphQL response to clients that accept its media type, and as plain JSON to others, which get 400 in
 * place of 422.
 */
export function sendFailure(reply: FastifyReply, failure: HttpFailure): FastifyReply {
  const { status, headers } = failure;
  const isModern = negotiate(reply.request.headers.accept) === GRAPHQL_RESPONSE;
  return reply
    .code(status === 422 && !isModern ? 400 : status)
    .headers({ ...headers, 'content-type': `${isModern ? GRAPHQL_RESPONSE : JSON_RESPONSE}; charset=utf-8` })
    .send(JSON.stringify(failureBody(failure)));
}

/** The body of a failure. */
export function failureBody({ code, message, extensions }: HttpFailure): object {
  return { errors: [{ message, extensions: { code, ...extensions } }] };
}

/** Sets status and content type of a result, and returns the text to send. */
export function writeResult(
  reply: FastifyReply,
  result: ExecutionResult,
  mediaType: ResponseMediaType,
): string {
  const status = statusOf(result, mediaType);
  if (status === PARTIAL_SUCCESS) {
    // Node has no reason for a status that is not registered.
    reply.raw.statusMessage = 'Partial Success';
  }
  reply.code(status).header('content-type', `${mediaType}; charset=utf-8`);
  return resultText(result);
}

/** The failure that Fastify found before any handler; `null` for an internal error. */
function failureOf(error: { readonly statusCode?: number | undefined }): HttpFailure | null {
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

/**
 * Answers failures before an operation runs: a body that is too large or not JSON, or an internal error.
 * @param about.event the name in the log of an internal error
 */
export function answerInternalError(
  { isOutage, event }: { isOutage(error: unknown): boolean; readonly event: string },
  error: Error & { readonly statusCode?: number },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const failure = error instanceof UnreadBodyError ? error.failure : failureOf(error);
  if (failure !== null) {
    return sendFailure(reply, failure);
  }
  request.log.error({ err: error }, event);
  if (isOutage(error)) {
    const code = 'SERVICE_UNAVAILABLE';
    return sendFailure(reply, {
      status: 503,
      code,
      message: CATALOGUE[code].message,
      headers: { 'retry-after': String(AWAY_SECONDS) },
    });
  }
  const { message } = CATALOGUE.INTERNAL_SERVER_ERROR;
  return sendFailure(reply, { status: 500, code: 'INTERNAL_SERVER_ERROR', message });
}

/** The failure of a well-formed request that must not run. */
interface UnrunRequest {
  readonly failed: RequestFailure;
  readonly mediaType: ResponseMediaType;
}

type Checked = GraphQLHttpRequest | UnrunRequest | HttpFailure;

function readRequest(request: FastifyRequest, documents: ClientDocuments): Checked {
  const mediaType = negotiate(request.headers.accept);
  if (mediaType === null) {
    return NOT_ACCEPTABLE;
  }
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  const failure = isGet ? null : checkContentType(request.headers['content-type']);
  if (failure !== null) {
    return failure;
  }
  const parameters = isGet
    ? readUrlParameters(request.query as Record<string, unknown>)
    : readParameters(request.body);
  if (isHttpFailure(parameters)) {
    return parameters;
  }
  const query = documents.find(parameters);
  if (typeof query !== 'string') {
    return { failed: query, mediaType };
  }
  const { operationName, variables } = parameters;
  const isStream = mediaType === EVENT_STREAM;
  const kind = isGet || isStream ? documents.kindOf(query, operationName) : null;
  const isSubscription = isStream && kind === OperationTypeNode.SUBSCRIPTION;
  // A browser's EventSource can only send GET, and a subscription changes nothing.
  if (isGet && kind !== null && kind !== OperationTypeNode.QUERY && !isSubscription) {
    return CHANGE_BY_GET;
  }
  const given = { query, operationName, variables };
  const resumed = isSubscription
    ? resumeAfter(given, request.headers['last-event-id'], documents.maxTokens)
    : given;
  return { parameters: resumed, mediaType, isSubscription };
}

/** Answers a request whose document is unknown or must not run. */
function sendUnrun(reply: FastifyReply, { failed, mediaType }: UnrunRequest): FastifyReply {
  const body = writeResult(reply, failed, mediaType);
  return reply.send(mediaType === EVENT_STREAM ? onlyEvent(body) : body);
}

/**
 * Checks a request: answers a malformed one, and sets `request.graphqlRequest` for a well-formed one. Source: GraphQL over
 * HTTP (first edition, September 2026), "Request" and "Status Codes".
 *
 * @returns whether the request is to run
 */
function check(request: FastifyRequest, reply: FastifyReply, documents: ClientDocuments): boolean {
  const checked = readRequest(request, documents);
  if (isHttpFailure(checked)) {
    sendFailure(reply, checked);
    return false;
  }
  if ('failed' in checked) {
    sendUnrun(reply, checked);
    return false;
  }
  request.graphqlRequest = checked;
  return true;
}

/**
 * Prepares a scope for GraphQL routes at `path`: adds the checks, and answers 405 to methods without a route.
 * @param isOutage whether an error means that the database is unreachable, which is answered with 503; default: never
 */
export function addGraphQLChecks(
  scope: FastifyInstance,
  path: string,
  documents: ClientDocuments,
  isOutage: (error: unknown) => boolean = () => false,
): void {
  scope.decorateRequest('graphqlRequest', null);
  readJsonBodies(scope);
  scope.addHook('preValidation', (request, reply, done) => {
    if (OTHER_METHODS.includes(request.method) || check(request, reply, documents)) {
      done();
    }
  });
  scope.setErrorHandler<Error>((error, request, reply) =>
    answerInternalError({ isOutage, event: 'graphql.request_failed' }, error, request, reply),
  );
  scope.route({
    method: OTHER_METHODS,
    url: path,
    // The body stays unread.
    onRequest: async (_request, reply) => sendFailure(reply, METHOD_NOT_ALLOWED),
    handler: async (_request, reply) => sendFailure(reply, METHOD_NOT_ALLOWED),
  });
}
