import { afterEach, describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { answerRateLimited } from '../../rest-compat/index.ts';
import { PLATFORM_ACCOUNT, type Principal } from '../../subgraphs/kernel/principal.ts';
import type { RateLimits } from '../../subgraphs/partners/tenants/rate-limits.ts';
import { limitPartners } from '../../subgraphs/runtime/limits/partner-limiter.ts';
import type { RateLimit } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import { addRateLimits, createCallLimits, failOperation } from './rate-limit.ts';

const PRINCIPAL: Principal = { accountId: 'acme/live', keyId: 'key_1', scopes: ['partner'] };
const SETTINGS = {
  RATE_LIMIT_REMITTANCE: 1,
  RATE_LIMIT_REQUEST_MONEY: 2,
  RATE_LIMIT_PARTNER: 3,
  RATE_LIMIT_GRAPHQL: 4,
};

/** The partner's own limits, which are read later, as after two seconds without a call. */
const tenantsWith = (own: RateLimits) => ({ rateLimitsOf: async () => own });

interface Given {
  readonly settings?: Partial<typeof SETTINGS>;
  readonly own?: RateLimits;
  readonly limiter?: ReturnType<typeof rejecting>;
}

/** A limiter that rejects every call, and its calls. */
function rejecting() {
  const calls: [RateLimit, string][] = [];
  const take = async (limit: RateLimit, caller: string) => {
    calls.push([limit, caller]);
    return { allowed: false, retryAfterSeconds: 7 } as const;
  };
  return { calls, take };
}

describe('limits of calls', () => {
  let app: FastifyInstance;
  afterEach(() => app.close());

  /** Routes whose authentication sets the principal, like the real ones; their bodies must be JSON. */
  async function build(
    principal: Principal | null,
    { settings = {}, own = {}, limiter = rejecting() }: Given = {},
  ) {
    app = Fastify();
    app.decorateRequest('principal', null);
    addRateLimits(
      app,
      createCallLimits(limitPartners(limiter, 2), { ...SETTINGS, ...settings }, tenantsWith(own)),
      answerRateLimited,
    );
    await app.register(async (scope) => {
      scope.addHook('onRequest', async (request) => {
        request.principal = principal;
      });
      for (const url of ['/v1/user/x', '/v1/request-money', '/partner/links', '/graphql']) {
        scope.post(url, async () => ({ ok: true }));
      }
    });
    const post = (url: string) =>
      app.inject({ method: 'POST', url, payload: '{', headers: { 'content-type': 'application/json' } });
    return { limiter, post };
  }

  const message = 'Too many requests. Try again later.';
  test.each([
    ['/v1/user/x', 'remittance', 1, { reason: message }],
    ['/v1/request-money', 'request-money', 2, { error: { code: 'RATE_LIMITED', message } }],
    [
      '/partner/links?page=1',
      'partner',
      3,
      { success: false, error: { code: 'RATE_LIMITED', message, details: null } },
    ],
    [
      '/graphql',
      'graphql',
      4,
      { errors: [{ message, extensions: { code: 'RATE_LIMITED', retryAfter: 7 } }] },
    ],
  ])('%s is rejected in its own shape, before its body is read', async (url, name, limit, body) => {
    const { limiter, post } = await build(PRINCIPAL);
    const response = await post(url);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '7']);
    const { 'ratelimit-policy': policy, ratelimit } = response.headers;
    expect([policy, ratelimit]).toEqual([
      `"${name}";q=${limit};w=60, "${name}-all-keys";q=${2 * limit};w=60`,
      `"${name}";r=0;t=7`,
    ]);
    expect(JSON.parse(response.body)).toEqual(body);
    expect(limiter.calls).toEqual([[{ name, limit, windowSeconds: 60 }, 'key_1']]);
  });

  test("a partner's own limit takes precedence, and 0 is none", async () => {
    const { limiter, post } = await build(PRINCIPAL, { own: { partner: 50, graphql: 0 } });
    await post('/partner/links');
    await post('/v1/request-money');
    expect((await post('/graphql')).statusCode).toBe(400);
    expect(limiter.calls.map(([{ name, limit }]) => [name, limit])).toEqual([
      ['partner', 50],
      ['request-money', 2],
    ]);
  });

  test('of the platform itself are those of the settings', async () => {
    const { limiter, post } = await build(
      { accountId: PLATFORM_ACCOUNT, keyId: 'session', scopes: ['platform'] },
      { own: { graphql: 50 } },
    );
    await post('/graphql');
    expect(limiter.calls).toEqual([[{ name: 'graphql', limit: 4, windowSeconds: 60 }, 'session']]);
  });

  test('are counted for browser tokens, whose pages get no headers of them', async () => {
    const { limiter, post } = await build({ ...PRINCIPAL, browserToken: { tokenId: 'bt_1', expiresAt: 0 } });
    const { statusCode, headers } = await post('/graphql');
    expect([statusCode, headers['retry-after'], headers.ratelimit]).toEqual([429, '7', undefined]);
    expect(headers).not.toHaveProperty('ratelimit-policy');
    expect(limiter.calls).toHaveLength(1);
  });

  test('0 is no limit, and no header', async () => {
    const { limiter, post } = await build(PRINCIPAL, { settings: { RATE_LIMIT_PARTNER: 0 } });
    const { statusCode, headers } = await post('/partner/links');
    expect(statusCode).toBe(400);
    expect(Object.keys(headers).filter((name) => name.startsWith('ratelimit'))).toEqual([]);
    expect(limiter.calls).toEqual([]);
  });

  test.each([
    ['nobody', null],
    ["the platform's own back end", { ...PRINCIPAL, scopes: ['internal'] } satisfies Principal],
  ])('%s is not counted', async (_who, principal) => {
    const { limiter, post } = await build(principal);
    expect((await post('/v1/request-money')).statusCode).toBe(400);
    expect(limiter.calls).toEqual([]);
  });

  test('an operation over a socket is rejected as an error of its own', async () => {
    const { limiter } = await build(null);
    const limits = createCallLimits(limitPartners(limiter, 2), SETTINGS, tenantsWith({}));
    expect((await failOperation(limits, PRINCIPAL))?.toJSON()).toEqual({
      message,
      extensions: { code: 'RATE_LIMITED', retryAfter: 7 },
    });
    expect(await failOperation(limits, null)).toBeUndefined();
  });
});
