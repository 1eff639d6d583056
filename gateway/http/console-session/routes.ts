import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { environmentOf } from '../../../subgraphs/kernel/account.ts';
import { isOutage } from '../../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { PLATFORM_ACCOUNT } from '../../../subgraphs/kernel/principal.ts';
import {
  type ConsoleHolder,
  type ConsoleSessions,
  isConsoleCode,
  type OpenedConsoleSession,
} from '../../../subgraphs/partners/keys/console-sessions.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import type { PartnerVerdict } from '../../../subgraphs/runtime/limits/partner-limiter.ts';
import type { RateLimit, RateLimiter, RateVerdict } from '../../../subgraphs/runtime/limits/rate-limiter.ts';
import { CONSOLE_HEADER, type ConsoleCookie } from '../console-cookie.ts';
import { answerInternalError, sendFailure } from '../graphql/checks.ts';
import { readJsonBodies } from '../graphql/json-body.ts';
import { badRequest, checkContentType, type HttpFailure } from '../graphql/request.ts';
import type { CallLimits } from '../rate-limit.ts';

const PATH = '/console/session';
const WINDOW_SECONDS = 60;
const LARGEST_BODY_BYTES = 4_096;

interface ConsoleSessionRoutesDeps {
  readonly sessions: Pick<ConsoleSessions, 'open' | 'find' | 'signOut'>;
  readonly cookie: ConsoleCookie;
  readonly tenants: Pick<Tenants, 'find'>;
  readonly limiter: Pick<RateLimiter, 'take' | 'peek'>;
  readonly limits: CallLimits;
  readonly settings: { readonly signInsPerMinute: number; readonly idleSeconds: number };
}

/** The body of `POST`: the code of a link. */
const signInSchema = z.object({ code: z.string() });

const FOREIGN: HttpFailure = {
  status: 403,
  code: 'FORBIDDEN',
  message: `Only a page of this host calls this, with its Origin and the header ${CONSOLE_HEADER}: 1.`,
};

/**
 * Serves `/console/session` to the page of the console: `POST` exchanges the code of a link for a cookie, `GET` shows
 * the session, `DELETE` signs out. Failures have the shape of GraphQL's.
 */
export async function addConsoleSession(app: FastifyInstance, deps: ConsoleSessionRoutesDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (request, reply) =>
      deps.cookie.isFromOwnPage(request) ? undefined : sendFailure(reply, FOREIGN),
    );
    readJsonBodies(scope);
    scope.setErrorHandler<Error>((error, request, reply) =>
      answerInternalError({ isOutage, event: 'console_session.request_failed' }, error, request, reply),
    );
    scope.post(PATH, { bodyLimit: LARGEST_BODY_BYTES }, (request, reply) => signIn(deps, request, reply));
    scope.get(PATH, (request, reply) => sendSession(deps, request, reply));
    scope.delete(PATH, (request, reply) => signOut(deps, request, reply));
  });
}

/** The limit of wrong codes from one address; undefined without one. */
function limitOf({ settings: { signInsPerMinute: limit } }: ConsoleSessionRoutesDeps): RateLimit | undefined {
  return limit === 0 ? undefined : { name: 'console', limit, windowSeconds: WINDOW_SECONDS };
}

/**
 * Exchanges a code. Only wrong codes count towards the limit of an address, because other people may call from the
 * same address: an empty request, or a text that is not a code, locks nobody out. After the limit, no code from this
 * address is looked up.
 * @returns null for a wrong code, the verdict for a call over the limit
 */
async function openCounted(
  deps: ConsoleSessionRoutesDeps,
  code: string,
  ip: string,
): Promise<OpenedConsoleSession | null | RateVerdict> {
  if (!isConsoleCode(code)) {
    return null;
  }
  const limit = limitOf(deps);
  const before = limit && deps.limiter.peek(limit, ip);
  if (before?.allowed === false) {
    return before;
  }
  const opened = await deps.sessions.open(code);
  const verdict = opened === null && limit ? await deps.limiter.take(limit, ip) : undefined;
  return verdict?.allowed === false ? verdict : opened;
}

function answerLimited(verdict: RateVerdict | PartnerVerdict, reply: FastifyReply): FastifyReply | undefined {
  if (verdict.allowed) {
    return undefined;
  }
  const { retryAfterSeconds: retryAfter } = verdict;
  return fail(reply, 429, 'RATE_LIMITED', { 'retry-after': String(retryAfter) });
}

async function signIn(
  deps: ConsoleSessionRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const failure = checkContentType(request.headers['content-type']);
  if (failure !== null) {
    return sendFailure(reply, failure);
  }
  const body = signInSchema.safeParse(request.body);
  if (!body.success) {
    return sendFailure(reply, badRequest('The body must have the code of a link, as {"code": "…"}.'));
  }
  const opened = await openCounted(deps, body.data.code, request.ip);
  if (opened === null || 'allowed' in opened) {
    return (opened && answerLimited(opened, reply)) ?? fail(reply, 401, 'CONSOLE_CODE_INVALID');
  }
  const { cookie, principal } = opened;
  // The code is used up now: the browser gets the session even if the next steps fail.
  reply.header('set-cookie', deps.cookie.keep(cookie, principal.consoleSession.expiresAt));
  // The browser loses its former session, so end it here.
  await deps.sessions.signOut(deps.cookie.credentialOf(request)?.text);
  return answerSession(deps, request, reply, principal);
}

async function sendSession(
  deps: ConsoleSessionRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const principal = await deps.sessions.find(deps.cookie.credentialOf(request)?.text);
  if (principal === null) {
    return fail(reply, 401, 'UNAUTHENTICATED');
  }
  const limited = answerLimited(await deps.limits.take('graphql', principal), reply);
  return limited ?? answerSession(deps, request, reply, principal);
}

/** Answers with the caller's session. */
async function answerSession(
  { tenants, settings }: ConsoleSessionRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  principal: ConsoleHolder,
): Promise<FastifyReply> {
  // The line of the log names the tenant.
  request.principal = principal;
  const { accountId, consoleSession } = principal;
  const holder = accountId === PLATFORM_ACCOUNT ? OPERATOR : await partnerOf(tenants, principal);
  if (!holder) {
    return fail(reply, 401, 'UNAUTHENTICATED');
  }
  return reply.send({
    id: consoleSession.sessionId,
    ...holder,
    access: consoleSession.access,
    endsAt: new Date(consoleSession.expiresAt).toISOString(),
    idleSeconds: settings.idleSeconds,
  });
}

/** A session of the platform's operators has no partner and no environment. */
const OPERATOR = { partner: null, environment: null, platform: true } as const;

async function partnerOf(tenants: Pick<Tenants, 'find'>, { accountId }: Pick<ConsoleHolder, 'accountId'>) {
  const tenant = await tenants.find(accountId);
  return (
    tenant && {
      partner: { id: tenant.tenantId, name: tenant.name },
      environment: environmentOf(accountId),
    }
  );
}

async function signOut(
  { sessions, cookie }: ConsoleSessionRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await sessions.signOut(cookie.credentialOf(request)?.text);
  return reply.code(204).header('set-cookie', cookie.forget).send();
}

type OwnCode = 'RATE_LIMITED' | 'CONSOLE_CODE_INVALID' | 'UNAUTHENTICATED';

function fail(
  reply: FastifyReply,
  status: 401 | 429,
  code: OwnCode,
  headers: Readonly<Record<string, string>> = {},
): FastifyReply {
  return sendFailure(reply, { status, code, message: CATALOGUE[code].message, headers });
}
