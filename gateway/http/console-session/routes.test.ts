import { afterEach, beforeEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { PLATFORM_ACCOUNT } from '../../../subgraphs/kernel/principal.ts';
import type { ConsoleHolder } from '../../../subgraphs/partners/keys/console-sessions.ts';
import type { Tenant } from '../../../subgraphs/partners/tenants/service.ts';
import type { PartnerVerdict } from '../../../subgraphs/runtime/limits/partner-limiter.ts';
import type { RateVerdict } from '../../../subgraphs/runtime/limits/rate-limiter.ts';
import { CONSOLE_HEADER, createConsoleCookie } from '../console-cookie.ts';
import { addCommonHeaders } from '../options.ts';
import { addConsoleSession } from './routes.ts';

const HOST = 'console.test';
const COOKIE = 'remitgraph-console=c';
const HEADERS = { host: HOST, origin: `http://${HOST}`, [CONSOLE_HEADER]: '1' };
const OVER: RateVerdict & PartnerVerdict = { allowed: false, retryAfterSeconds: 7, quotas: [] };
const HOLDER: ConsoleHolder = {
  ...{ accountId: 'acme/live', keyId: 'key_1', scopes: ['partner'] },
  consoleSession: { sessionId: 'cse_1', label: 'Ana', access: 'read', expiresAt: 0 },
};

const GOOD = `raas_code_${'g'.repeat(43)}`;
const WRONG = `raas_code_${'x'.repeat(43)}`;
let app: FastifyInstance;
let opened: string[];
let taken: unknown[][];
let verdict: RateVerdict & PartnerVerdict;
let failure: Error | undefined;
let holder: ConsoleHolder;
let settings: { signInsPerMinute: number; idleSeconds: number };
beforeEach(async () => {
  opened = [];
  taken = [];
  verdict = { allowed: true, remaining: 1, resetSeconds: 60, quotas: [] };
  failure = undefined;
  holder = HOLDER;
  settings = { signInsPerMinute: 2, idleSeconds: 60 };
  app = Fastify();
  addCommonHeaders(app);
  app.decorateRequest('principal', null);
  await addConsoleSession(app, {
    sessions: {
      open: async (code) => {
        if (failure && code !== GOOD) {
          throw failure;
        }
        opened.push(code);
        return code === GOOD ? { cookie: 'new', principal: HOLDER } : null;
      },
      find: async (cookie) => (cookie === 'c' ? holder : null),
      signOut: async () => {
        if (failure) {
          throw failure;
        }
      },
    },
    cookie: createConsoleCookie(undefined),
    tenants: { find: async () => ({ tenantId: 'acme', name: 'Acme' }) as Tenant },
    limiter: {
      take: (...call) => {
        taken.push(call);
        return verdict;
      },
      peek: () => verdict,
    },
    limits: {
      take: (...call) => {
        taken.push(call);
        return verdict;
      },
    },
    settings,
  });
});
afterEach(() => app.close());

const post = (payload: string | object = { code: WRONG }, headers: Record<string, string> = HEADERS) =>
  app.inject({
    method: 'POST',
    url: '/console/session',
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  });

test('Wrong codes count towards the limit of their address; beyond it no code is looked up', async () => {
  expect((await post()).statusCode).toBe(401);
  verdict = OVER;
  const beyond = [await post(), await post()];
  for (const answer of beyond) {
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([429, '7']);
    expect(answer.json()).toMatchObject({ errors: [{ extensions: { code: 'RATE_LIMITED' } }] });
  }
  const limit = { name: 'console', limit: 2, windowSeconds: 60 };
  expect(taken).toEqual([[limit, '127.0.0.1']]);
  expect(opened).toEqual([WRONG]);
});

test.each(['', '{', '{}', '{"code":""}', '{"code":"x"}', '{"code":7}', `{"code":"${GOOD}"}`])(
  '%s does not count',
  async (payload) => {
    await post(payload);
    expect(taken).toEqual([]);
  },
);

test('A request of another page does not count', async () => {
  expect((await post({ code: WRONG }, { ...HEADERS, origin: 'http://evil.test' })).statusCode).toBe(403);
  expect([taken, opened]).toEqual([[], []]);
});

test('Without a limit nothing is counted', async () => {
  settings.signInsPerMinute = 0;
  await post();
  expect([taken, opened]).toEqual([[], [WRONG]]);
});

test('A request for the session counts as a call of the graph', async () => {
  const get = () => app.inject({ url: '/console/session', headers: { ...HEADERS, cookie: COOKIE } });
  expect((await get()).json()).toEqual({
    id: 'cse_1',
    partner: { id: 'acme', name: 'Acme' },
    environment: 'live',
    access: 'read',
    endsAt: '1970-01-01T00:00:00.000Z',
    idleSeconds: 60,
  });
  verdict = OVER;
  expect((await get()).statusCode).toBe(429);
  expect(taken).toEqual([
    ['graphql', HOLDER],
    ['graphql', HOLDER],
  ]);
});

test('A session of the platform belongs to no partner', async () => {
  holder = { ...HOLDER, accountId: PLATFORM_ACCOUNT, scopes: ['platform'] };
  const answer = await app.inject({ url: '/console/session', headers: { ...HEADERS, cookie: COOKIE } });
  expect(answer.json()).toEqual({
    id: 'cse_1',
    ...{ partner: null, environment: null, platform: true },
    ...{ access: 'read', endsAt: '1970-01-01T00:00:00.000Z', idleSeconds: 60 },
  });
});

test('The browser gets the session of a used code even if ending the former session fails', async () => {
  failure = new Error('the database is away');
  const answer = await post({ code: GOOD }, { ...HEADERS, cookie: COOKIE });
  expect(answer.statusCode).toBe(500);
  expect(answer.headers['set-cookie']).toMatch(/^remitgraph-console=new; /);
});

test('An internal error is reported without its message', async () => {
  failure = new Error('secret');
  const answer = await post();
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('secret');
  expect(answer.headers['cache-control']).toBe('no-store');
});
