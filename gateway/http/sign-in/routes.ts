import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt, errors } from 'jose';
import { z } from 'zod';
import { accountOf, ENVIRONMENTS, type Environment } from '../../../subgraphs/kernel/account.ts';
import { isOutage } from '../../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { PLATFORM_ACCOUNT } from '../../../subgraphs/kernel/principal.ts';
import { consoleLinkUrl } from '../../../subgraphs/partners/keys/console-session-record.ts';
import { TENANT_ID } from '../../../subgraphs/partners/tenants/seed.ts';
import type { Tenants } from '../../../subgraphs/partners/tenants/service.ts';
import type { SignIn } from '../../../subgraphs/partners/tenants/sign-in.ts';
import type { RateLimit, RateLimiter, RateVerdict } from '../../../subgraphs/runtime/limits/rate-limiter.ts';
import { answerInternalError, sendFailure } from '../graphql/checks.ts';
import { badRequest, type HttpFailure } from '../graphql/request.ts';
import {
  beginSignIn,
  endByProvider,
  finishSignIn,
  type SignInDeps,
  type SignInRefusal,
  type SignInTarget,
} from './sign-in.ts';

const PARTNERS = '/console/sign-in/:tenant';
const PLATFORM = '/console/platform-sign-in';
const LARGEST_BODY_BYTES = 16_384;
const WINDOW_SECONDS = 60;

interface SignInRoutesDeps extends SignInDeps {
  /** Without a slash at its end. Absent: `http://` and the host of each request, as for the cookie of sessions. */
  readonly publicUrl: string | undefined;
  readonly tenants: Pick<Tenants, 'find'>;
  /** The environments that the deployment serves. */
  readonly environments: readonly Environment[];
  /** The sign-in of the platform's operators; absent without one. */
  readonly platform: SignIn | undefined;
  readonly limiter: Pick<RateLimiter, 'take' | 'peek'>;
  /** Starts and refused logout tokens of one address in 60 seconds; 0 for no limit. */
  readonly perMinute: number;
}

const paramsSchema = z.object({ tenant: z.string().regex(TENANT_ID).optional() });
const querySchema = z.object({ environment: z.enum(ENVIRONMENTS).optional() });
const logoutSchema = z.object({ logout_token: z.string() });
const claimsSchema = z.object({ iss: z.string(), aud: z.string().or(z.array(z.string())) });

/**
 * Serves sign-in by OpenID Connect, for people of partners and, where it is configured, for the platform's operators: the start,
 * which leads to the provider; the callback, which leads to the console as a link does; and back-channel logout. Failures of the
 * first two lead to the page of the console, which shows the reason.
 */
export async function addSignIn(app: FastifyInstance, deps: SignInRoutesDeps): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    });
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: LARGEST_BODY_BYTES },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.setErrorHandler<Error>((error, request, reply) =>
      answerInternalError({ isOutage, event: 'console_sign_in.request_failed' }, error, request, reply),
    );
    for (const path of [PARTNERS, PLATFORM]) {
      scope.get(path, (request, reply) => begin(deps, request, reply));
      scope.get(`${path}/callback`, (request, reply) => finish(deps, request, reply));
      scope.post(`${path}/logout`, (request, reply) => logOut(deps, request, reply));
    }
  });
}

/** The sign-ins that the path leads to, the one of the live environment first. */
async function targetsOf(deps: SignInRoutesDeps, request: FastifyRequest): Promise<SignInTarget[]> {
  const { platform, tenants } = deps;
  const publicUrl = baseOf(deps, request);
  const params = paramsSchema.safeParse(request.params);
  if (!params.success) {
    return [];
  }
  const { tenant } = params.data;
  if (tenant === undefined) {
    const redirectUri = `${publicUrl}${PLATFORM}/callback`;
    return platform ? [{ accountId: PLATFORM_ACCOUNT, signIn: platform, redirectUri }] : [];
  }
  const redirectUri = `${publicUrl}/console/sign-in/${tenant}/callback`;
  const accountIds = ENVIRONMENTS.toReversed()
    .filter((environment) => deps.environments.includes(environment))
    .map((environment) => accountOf(tenant, environment));
  const found = await Promise.all(
    accountIds.map(async (accountId) => ({ accountId, signIn: (await tenants.find(accountId))?.signIn })),
  );
  return found.flatMap(({ accountId, signIn }) => (signIn ? [{ accountId, signIn, redirectUri }] : []));
}

async function begin(
  deps: SignInRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (await isOverLimit(deps, request, reply)) {
    return reply;
  }
  const { environment } = querySchema.catch({}).parse(request.query);
  const targets = await targetsOf(deps, request);
  const target = environment
    ? targets.find(({ accountId }) => accountId.endsWith(`/${environment}`))
    : targets[0];
  if (!target) {
    request.log.warn({ reason: 'unknown' }, 'console_sign_in.refused');
    return refuse(deps, request, reply, 'unknown');
  }
  const begun = await beginSignIn(deps, target, request.log);
  return 'refusal' in begun
    ? refuse(deps, request, reply, begun.refusal)
    : reply.header('set-cookie', begun.cookie).redirect(begun.url, 302);
}

async function finish(
  deps: SignInRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const attempt = deps.attempts.read(request.headers.cookie);
  const [, query = ''] = request.url.split('?', 2);
  const isOfAttempt = attempt !== undefined && new URLSearchParams(query).get('state') === attempt.state;
  if (isOfAttempt) {
    // Whatever comes of it: the browser uses an attempt once. An answer to a former attempt, of another tab, does not end this one.
    reply.header('set-cookie', deps.attempts.forget);
  }
  const targets = isOfAttempt ? await targetsOf(deps, request) : [];
  const target = targets.find(({ accountId }) => accountId === attempt?.accountId);
  if (!(attempt && target)) {
    request.log.warn({ reason: 'expired' }, 'console_sign_in.refused');
    return refuse(deps, request, reply, 'expired');
  }
  const finished = await finishSignIn(deps, target, attempt, `?${query}`, request.log);
  return 'refusal' in finished
    ? refuse(deps, request, reply, finished.refusal)
    : reply.redirect(consoleLinkUrl(baseOf(deps, request), finished.code), 302);
}

async function logOut(
  deps: SignInRoutesDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const limit = limitOf(deps);
  if (limit && isRefusedBy(deps.limiter.peek(limit, request.ip), reply)) {
    return reply;
  }
  const body = logoutSchema.safeParse(request.body);
  const claimed = body.success ? claimsOf(body.data.logout_token) : undefined;
  const [first, ...others] = claimed
    ? (await targetsOf(deps, request)).filter(
        ({ signIn }) => signIn.issuer === claimed.iss && [claimed.aud].flat().includes(signIn.clientId),
      )
    : [];
  if (!(body.success && first)) {
    request.log.warn({ reason: 'unknown' }, 'console_sign_out.refused');
    return refuseToken(deps, request, reply, NO_LOGOUT_TOKEN);
  }
  const refusal = await endByProvider(deps, [first, ...others], body.data.logout_token, request.log);
  if (refusal === undefined) {
    return reply.code(200).send();
  }
  return refuseToken(deps, request, reply, refusal === 'offline' ? OFFLINE : NO_LOGOUT_TOKEN);
}

/**
 * Counts a refused token towards the limit of its address. Valid ones do not count: a provider sends one for each session that it
 * ends, and may end thousands at once.
 */
async function refuseToken(
  deps: Pick<SignInRoutesDeps, 'limiter' | 'perMinute'>,
  request: FastifyRequest,
  reply: FastifyReply,
  failure: HttpFailure,
): Promise<FastifyReply> {
  return (await isOverLimit(deps, request, reply)) ? reply : sendFailure(reply, failure);
}

const OFFLINE: HttpFailure = {
  status: 503,
  code: 'SERVICE_UNAVAILABLE',
  message: CATALOGUE.SERVICE_UNAVAILABLE.message,
};
const NO_LOGOUT_TOKEN = badRequest('The body must have a valid logout_token that was not used before.');

/** The issuer and the audience that a token claims, before anything is verified; undefined for a text that is no token. */
function claimsOf(token: string): z.output<typeof claimsSchema> | undefined {
  try {
    return claimsSchema.safeParse(decodeJwt(token)).data;
  } catch (error) {
    if (error instanceof errors.JOSEError) {
      return undefined;
    }
    throw error;
  }
}

function limitOf({ perMinute: limit }: Pick<SignInRoutesDeps, 'perMinute'>): RateLimit | undefined {
  return limit === 0 ? undefined : { name: 'sign-in', limit, windowSeconds: WINDOW_SECONDS };
}

/** Counts the call; answers it when the address has made too many. Each may make us call a provider. */
async function isOverLimit(
  deps: Pick<SignInRoutesDeps, 'limiter' | 'perMinute'>,
  { ip }: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const limit = limitOf(deps);
  return limit !== undefined && isRefusedBy(await deps.limiter.take(limit, ip), reply);
}

/** Answers the call if the verdict refuses it. */
function isRefusedBy(verdict: RateVerdict, reply: FastifyReply): boolean {
  if (verdict.allowed) {
    return false;
  }
  const { message } = CATALOGUE.RATE_LIMITED;
  const headers = { 'retry-after': String(verdict.retryAfterSeconds) };
  sendFailure(reply, { status: 429, code: 'RATE_LIMITED', message, headers });
  return true;
}

/** Leads to the console, whose page says why nobody is signed in. */
function refuse(
  deps: Pick<SignInRoutesDeps, 'publicUrl'>,
  request: FastifyRequest,
  reply: FastifyReply,
  refusal: SignInRefusal,
): FastifyReply {
  return reply.redirect(`${baseOf(deps, request)}/console/#sign-in=${refusal}`, 302);
}

/** The service's address for this browser, without a slash at its end. */
function baseOf({ publicUrl }: Pick<SignInRoutesDeps, 'publicUrl'>, { headers }: FastifyRequest): string {
  return publicUrl ?? `http://${headers.host}`;
}
