import type { FastifyInstance, FastifyReply } from 'fastify';
import { GraphQLError } from 'graphql';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import { CATALOGUE, type Surface } from '../../subgraphs/kernel/errors/catalogue.ts';
import { surfaceOf } from '../../subgraphs/kernel/errors/surface.ts';
import { keysOf } from '../../subgraphs/kernel/objects.ts';
import { PLATFORM_ACCOUNT, type Principal } from '../../subgraphs/kernel/principal.ts';
import type { RateLimits } from '../../subgraphs/partners/tenants/rate-limits.ts';
import type { Tenants } from '../../subgraphs/partners/tenants/service.ts';
import {
  type PartnerLimiter,
  type PartnerVerdict,
  UNLIMITED,
} from '../../subgraphs/runtime/limits/partner-limiter.ts';
import { quotaHeaders } from '../../subgraphs/runtime/limits/quota-headers.ts';
import type { RateLimit } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import { sendFailure } from './graphql/checks.ts';

/** The limit of calls per minute of each key and each partner, by surface, over all processes. */
export interface CallLimits {
  /** Counts a call. Returns a promise only when it must read the database. Rejects when the database cannot be reached. */
  take(surface: Surface, principal: Principal): PartnerVerdict | Promise<PartnerVerdict>;
}

/** The settings of the limits. */
export type LimitSettings = Pick<
  Config,
  'RATE_LIMIT_REMITTANCE' | 'RATE_LIMIT_REQUEST_MONEY' | 'RATE_LIMIT_PARTNER' | 'RATE_LIMIT_GRAPHQL'
>;

const WINDOW_SECONDS = 60;
const CODE = 'RATE_LIMITED';

/** The limit of a surface: its name in headers and in the database, and its setting. */
const LIMITS = {
  remittance: { name: 'remittance', setting: 'RATE_LIMIT_REMITTANCE' },
  requestMoney: { name: 'request-money', setting: 'RATE_LIMIT_REQUEST_MONEY' },
  partner: { name: 'partner', setting: 'RATE_LIMIT_PARTNER' },
  graphql: { name: 'graphql', setting: 'RATE_LIMIT_GRAPHQL' },
} as const satisfies Readonly<Record<Surface, { name: string; setting: keyof LimitSettings }>>;

/** The limits of calls by one key, one for each surface; a partner's own take precedence over the settings. 0 means no limit. */
export function callLimitsOf(settings: LimitSettings, own: RateLimits | undefined): RateLimit[] {
  return keysOf(LIMITS).map((surface) => callLimitOf(settings, own, surface));
}

function callLimitOf(settings: LimitSettings, own: RateLimits | undefined, surface: Surface): RateLimit {
  const { name, setting } = LIMITS[surface];
  return { name, limit: own?.[surface] ?? settings[setting], windowSeconds: WINDOW_SECONDS };
}

/**
 * 0 means no limit. The platform's own back end, which calls for all partners, has no limit. A partner's own limits take precedence
 * over the settings.
 */
export function createCallLimits(
  limiter: PartnerLimiter,
  settings: LimitSettings,
  tenants: Pick<Tenants, 'rateLimitsOf'>,
): CallLimits {
  return {
    take: (surface, principal) => {
      const count = (own: RateLimits | undefined) =>
        limiter.take(callLimitOf(settings, own, surface), principal);
      if (principal.scopes.includes('internal')) {
        return UNLIMITED;
      }
      // The platform is no partner: there is nothing of it to read.
      const own =
        principal.accountId === PLATFORM_ACCOUNT ? undefined : tenants.rateLimitsOf(principal.accountId);
      return own instanceof Promise ? own.then(count) : count(own);
    },
  };
}

/** Answers a REST call over the limit, in its surface's shape. */
type AnswerRateLimited = (
  reply: FastifyReply,
  surface: Exclude<Surface, 'graphql'>,
  retryAfterSeconds: number,
) => FastifyReply;

/**
 * Applies its surface's limit to every HTTP call, and says in headers what is left of it: after its route has found the
 * principal, before it reads the body. Add it before the routes.
 */
export function addRateLimits(app: FastifyInstance, limits: CallLimits, answer: AnswerRateLimited): void {
  const goOn = (surface: Surface, verdict: PartnerVerdict, reply: FastifyReply, done: () => void) => {
    // Browser tokens are in web pages, whose visitors must not learn how much the partner calls.
    if (!reply.request.principal?.browserToken) {
      reply.headers(quotaHeaders(verdict.quotas));
    }
    if (verdict.allowed) {
      done();
    } else if (surface === 'graphql') {
      rejectGraphQL(reply, verdict.retryAfterSeconds);
    } else {
      answer(reply, surface, verdict.retryAfterSeconds);
    }
  };
  app.addHook('preParsing', ({ principal, routeOptions }, reply, _payload, done) => {
    // The route decides, not the spelling of the path. A call without a route has no principal.
    if (!(principal && routeOptions.url)) {
      done();
      return;
    }
    const surface = surfaceOf(routeOptions.url);
    const verdict = limits.take(surface, principal);
    if (verdict instanceof Promise) {
      verdict.then((later) => goOn(surface, later, reply, done), done);
    } else {
      goOn(surface, verdict, reply, done);
    }
  });
}

/** The failure of an operation over a socket; undefined when it may run. */
export async function failOperation(
  limits: CallLimits,
  principal: Principal | null,
): Promise<GraphQLError | undefined> {
  const verdict = principal ? await limits.take('graphql', principal) : UNLIMITED;
  return verdict.allowed
    ? undefined
    : new GraphQLError(CATALOGUE[CODE].message, {
        extensions: { code: CODE, retryAfter: verdict.retryAfterSeconds },
      });
}

function rejectGraphQL(reply: FastifyReply, retryAfter: number): FastifyReply {
  return sendFailure(reply, {
    status: 429,
    code: CODE,
    message: CATALOGUE[CODE].message,
    headers: { 'retry-after': String(retryAfter) },
    extensions: { retryAfter },
  });
}
