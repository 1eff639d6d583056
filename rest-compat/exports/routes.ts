import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import { isOutage } from '../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';
import { authenticateWith } from '../../subgraphs/kernel/http/authentication.ts';
import { contextOf } from '../../subgraphs/kernel/http/request-context.ts';
import type { Principal } from '../../subgraphs/kernel/principal.ts';
import type { DataOf, DocumentName } from '../shared/call.ts';
import type { RunDocument } from '../shared/documents.ts';
import { UNAVAILABLE } from '../shared/outcome.ts';
import { type RestRoute } from '../shared/request.ts';
import { type ExportedList, type ExportFormat, LISTS, type ListPage } from './columns.ts';
import { type ExportParameters, readExportParameters } from './parameters.ts';
import { createRows } from './rows.ts';

/** Exports of one key at a time, in one process: an export reads up to 1,000 pages, and counts as one call. */
const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 5;

/** The dependencies of exports. */
export interface ExportRoutesDeps {
  /** Finds the caller, by the same credentials as the graph. */
  whoCalls(request: FastifyRequest): Principal | null | Promise<Principal | null>;
  readonly run: RunDocument;
  /** The exports of all keys of a partner together, as a multiple of the exports of one key. */
  readonly partnerFactor: number;
}

/** A failure before the file begins. Its body has the shape of a GraphQL request that is not run. */
interface HttpFailure {
  readonly status: 400 | 401 | 403 | 406 | 429 | 500 | 503;
  readonly code: string;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const UNAUTHENTICATED: HttpFailure = {
  status: 401,
  code: 'UNAUTHENTICATED',
  message: CATALOGUE.UNAUTHENTICATED.message,
};

const FORBIDDEN: HttpFailure = { status: 403, code: 'FORBIDDEN', message: CATALOGUE.FORBIDDEN.message };

/** Media types of files, as a client accepts them. */
const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  jsonl: 'application/jsonl',
};

/** Media types of files, with their parameters. */
const CONTENT_TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8; header=present',
  jsonl: 'application/jsonl; charset=utf-8',
};

function notAcceptable(type: string): HttpFailure {
  return { status: 406, code: 'NOT_ACCEPTABLE', message: `The answer can be ${type}.` };
}

const TOO_MANY: HttpFailure = {
  status: 429,
  code: 'RATE_LIMITED',
  message: `At most ${MOST_AT_ONCE} exports of a key run at a time, and few of a partner.`,
  headers: { 'retry-after': String(RETRY_AFTER_SECONDS) },
};

/**
 * Serves `GET /exports/….csv`, and `….jsonl` of some lists: a list of the graph as a file. It reads page after page while the client reads the file. Keys,
 * browser tokens, scopes, limits and masks are those of the graph, because the graph answers.
 */
export async function exportRoutes(app: FastifyInstance, deps: ExportRoutesDeps): Promise<void> {
  const open = createOpenExports(deps.partnerFactor);
  app.addHook('preClose', async () => open.close());
  const answerUnknown = (reply: FastifyReply) => sendFailure(reply, UNAUTHENTICATED);
  app.addHook('onRequest', authenticateWith(deps.whoCalls, answerUnknown));
  app.setErrorHandler<Error>((error, request, reply) => {
    request.log.error({ err: error }, 'export.failed');
    return sendFailure(reply, failureOf(isOutage(error) ? 'SERVICE_UNAVAILABLE' : undefined));
  });
  for (const list of LISTS) {
    for (const format of list.formats ?? (['csv'] as const)) {
      addFile(app, deps, open, list, format);
    }
  }
}

function addFile(
  app: FastifyInstance,
  deps: ExportRoutesDeps,
  open: OpenExports,
  list: ExportedList,
  format: ExportFormat,
): void {
  const file = `${list.name}.${format}`;
  app.get<Pick<RestRoute, 'Querystring'>>(`/exports/${file}`, async (request, reply) => {
    // A caller without the scope is refused for that, whatever its parameters. The graph decides about all others.
    if (!request.principal?.scopes.includes(list.scope ?? 'partner')) {
      return sendFailure(reply, FORBIDDEN);
    }
    const parameters = readExportParameters(request.query, list.filters);
    if (typeof parameters === 'string') {
      return sendFailure(reply, { status: 400, code: 'BAD_REQUEST', message: parameters });
    }
    if (!accepts(TYPES[format], request.headers.accept)) {
      return sendFailure(reply, notAcceptable(TYPES[format]));
    }
    const leave = open.enter(request.principal);
    if (!leave) {
      return sendFailure(reply, TOO_MANY);
    }
    try {
      const body = await openRows(deps, { list, format }, parameters, request, reply);
      return sendFile(file, CONTENT_TYPES[format], body, leave, request, reply);
    } catch (error) {
      leave();
      throw error;
    }
  });
}

async function openRows(
  deps: ExportRoutesDeps,
  { list, format }: { readonly list: ExportedList; readonly format: ExportFormat },
  { where, after, limit }: ExportParameters,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Readable | HttpFailure> {
  // Each page is an operation, and has a signal and a time limit of its own.
  const { controller: _, ...context } = contextOf(request, reply);
  // The graph reads and checks the values.
  const readPage = (cursor: string | null) => deps.run(list.document, { where, after: cursor }, context);
  const { data, errors } = await readPage(after);
  if (errors !== undefined || data == null) {
    return failureOf(errors?.[0]?.extensions.code, errors?.[0]?.message);
  }
  return createRows({
    list,
    format,
    first: list.pageOf(data),
    limit,
    readPage: async (cursor) => pageOrThrow(list, await checked(deps, request, () => readPage(cursor))),
  });
}

function sendFile(
  file: string,
  contentType: string,
  body: Readable | HttpFailure,
  leave: OpenExport,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (!(body instanceof Readable)) {
    leave();
    return sendFailure(reply, body);
  }
  leave.endWith(body);
  reply.headers({
    'content-type': contentType,
    'content-disposition': `attachment; filename="${file}"`,
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') {
    body.destroy();
    // An empty text would have the length 0, which is not that of the file (RFC 9110, section 8.6).
    return reply.send(Readable.from([]));
  }
  return reply.send(body);
}

/** A long export ends when its key is revoked: the key is looked up for each page, at most once in two seconds. */
async function checked<T>(
  deps: ExportRoutesDeps,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> {
  if ((await deps.whoCalls(request)) === null) {
    throw new Error('The key of this export is no longer valid');
  }
  return work();
}

function pageOrThrow(list: ExportedList, { data, errors }: ExecutionResult<DataOf<DocumentName>>): ListPage {
  if (data == null || errors !== undefined) {
    throw errors?.[0] ?? new TypeError('The graph has answered nothing');
  }
  return list.pageOf(data);
}

function sendFailure(
  reply: FastifyReply,
  { status, code, message, headers = {} }: HttpFailure,
): FastifyReply {
  return reply
    .code(status)
    .headers({ ...headers, 'content-type': 'application/json; charset=utf-8' })
    .send(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}

function accepts(type: string, accept = '*/*'): boolean {
  const ranges = accept.split(',').map((range) => range.split(';')[0]?.trim().toLowerCase());
  return [type, type.replace(/\/.*/, '/*'), '*/*'].some((range) => ranges.includes(range));
}

const STATUSES: Readonly<Record<string, 400 | 403>> = {
  BAD_USER_INPUT: 400,
  INVALID_CURSOR: 400,
  API_FEATURE_NOT_ENABLED: 400,
  FORBIDDEN: 403,
};

/** The failure of a page. Without a code that clients may know it is an internal error. */
function failureOf(code: unknown, message?: string): HttpFailure {
  const name = typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR';
  const status = UNAVAILABLE.has(name) ? 503 : (STATUSES[name] ?? 500);
  return {
    status,
    code: name,
    message: message ?? CATALOGUE[status === 503 ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR'].message,
    ...(status === 503 && { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } }),
  };
}

/** A place among the running exports. Call it to give the place back. */
interface OpenExport {
  (): void;
  /** Gives the place back when the body ends. */
  endWith(body: Readable): void;
}

/** The exports that run in this process. */
interface OpenExports {
  /** Returns a place for another export of a key; undefined when the key has too many. */
  enter(principal: Principal): OpenExport | undefined;
  /** Breaks off all exports. Clients continue after the last cursor that they have. */
  close(): void;
}

function createOpenExports(partnerFactor: number): OpenExports {
  const places = new Set<Principal>();
  const bodies = new Set<Readable>();
  return {
    enter: (principal) => {
      const ofPartner = [...places].filter((one) => one.accountId === principal.accountId);
      const ofKey = ofPartner.filter(({ keyId }) => keyId === principal.keyId);
      if (ofKey.length >= MOST_AT_ONCE || ofPartner.length >= MOST_AT_ONCE * partnerFactor) {
        return undefined;
      }
      // A new object for each place, because several calls share the same principal object.
      const place = { ...principal };
      places.add(place);
      const leave = () => void places.delete(place);
      const endWith = (body: Readable) => {
        bodies.add(body);
        body.once('close', () => {
          bodies.delete(body);
          leave();
        });
      };
      return Object.assign(leave, { endWith });
    },
    close: () => {
      for (const body of bodies) {
        body.destroy(new Error('The server stops'));
      }
    },
  };
}
