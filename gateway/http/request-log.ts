import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newId } from '../../subgraphs/kernel/database/ids.ts';
import type { Surface } from '../../subgraphs/kernel/errors/catalogue.ts';
import { surfaceOf } from '../../subgraphs/kernel/errors/surface.ts';
import {
  INTERNAL_ACCOUNT,
  type OperationNote,
  PLATFORM_ACCOUNT,
  type Principal,
} from '../../subgraphs/kernel/principal.ts';
import type { EndedRequest, RequestLog } from '../../subgraphs/partners/request-log/index.ts';
import {
  type ApiSurface,
  callerOf,
  type RequestDocument,
  type RequestOutcome,
} from '../../subgraphs/partners/request-log/model.ts';
import { subjectsOfBody, subjectsOfParams, subjectsOfVariables } from './request-subjects.ts';

const SURFACES: Readonly<Record<Surface, ApiSurface>> = {
  remittance: 'REMITTANCE',
  requestMoney: 'REQUEST_MONEY',
  partner: 'PARTNER',
  graphql: 'GRAPHQL',
};

/** Error codes of GraphQL answers (also with status 200) that are not the caller's fault. */
const SERVER_CODES: ReadonlySet<string> = new Set([
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  'SUBGRAPH_UNREACHABLE',
  'SUBGRAPH_TIMEOUT',
  'OPERATION_TIMEOUT',
]);

/** Statuses of answers that have no code of the graph. */
const CODES: Readonly<Record<number, string>> = { 413: 'PAYLOAD_TOO_LARGE', 429: 'RATE_LIMITED' };

/** Most ids of records in an entry. */
const MOST_SUBJECTS = 10;

/**
 * Records each answered call of a partner that failed or changed something. Calls of an unknown partner, of the
 * platform's own back end and of its operators are in no log.
 */
export function addRequestLog(app: FastifyInstance, recorder: Pick<RequestLog, 'record'>): void {
  app.decorateRequest('operationNote', null);
  app.addHook('onResponse', (request, reply, done) => {
    const entry = toEntry(request, reply);
    if (entry) {
      recorder.record(entry);
    }
    done();
  });
}

function toEntry(request: FastifyRequest, reply: FastifyReply): EndedRequest | undefined {
  const { principal, operationNote: note, routeOptions } = request;
  const { url: path } = routeOptions;
  const { statusCode: status } = reply;
  const code = note?.code ?? CODES[status];
  const isMutation = note?.isMutation === true;
  if (!principal || path === undefined || !(isMutation || status >= 400 || code !== undefined)) {
    return undefined;
  }
  return entryOf(principal, {
    requestId: request.id,
    surface: SURFACES[surfaceOf(path)],
    method: request.method,
    path,
    operation: note?.operationName,
    isMutation,
    outcome: outcomeOf(status, code),
    status,
    code,
    ms: reply.elapsedTime,
    subjects: [...(note?.subjects ?? []), ...namedBy(request, status)],
  });
}

/** The entry of an ended operation over a WebSocket; undefined if it need not be logged. */
export function socketEntry(
  principal: Principal | null,
  requestId: string,
  { operationName, isMutation, code, subjects }: OperationNote,
  ms: number,
): EndedRequest | undefined {
  return principal && (isMutation || code !== undefined)
    ? entryOf(principal, {
        requestId,
        surface: 'GRAPHQL',
        operation: operationName,
        isMutation,
        outcome: outcomeOf(undefined, code),
        code,
        ms,
        subjects,
      })
    : undefined;
}

type Facts = Pick<RequestDocument, 'requestId' | 'surface' | 'isMutation' | 'outcome' | 'ms'> & {
  readonly [Field in 'method' | 'path' | 'operation' | 'code']?: string | undefined;
} & { readonly status?: number; readonly subjects: readonly string[] };

function entryOf(principal: Principal, facts: Facts): EndedRequest | undefined {
  const { accountId } = principal;
  if (accountId === INTERNAL_ACCOUNT || accountId === PLATFORM_ACCOUNT) {
    return undefined;
  }
  const { requestId, ms, subjects, method, path, operation, status, code, ...rest } = facts;
  return {
    ...rest,
    ...callerOf(principal),
    _id: newId('req_'),
    requestId,
    ...(method !== undefined && { method }),
    ...(path !== undefined && { path }),
    ...(operation !== undefined && { operation }),
    ...(status !== undefined && { status }),
    ...(code !== undefined && { code }),
    ms: Math.round(ms),
    keys: [...new Set([requestId, ...subjects.slice(0, MOST_SUBJECTS)])],
  };
}

function outcomeOf(status: number | undefined, code: string | undefined): RequestOutcome {
  if ((status ?? 200) >= 500 || SERVER_CODES.has(code ?? '')) {
    return 'SERVER_ERROR';
  }
  return (status ?? 200) >= 400 || code !== undefined ? 'CLIENT_ERROR' : 'SUCCESS';
}

/** The records that a call names: in its path, in the variables of its operation, and in the body of one that failed. */
function namedBy({ params, graphqlRequest, body }: FastifyRequest, status: number): string[] {
  return [
    ...subjectsOfParams(params),
    ...subjectsOfVariables(graphqlRequest?.parameters.variables),
    ...(status >= 400 ? subjectsOfBody(body) : []),
  ];
}
