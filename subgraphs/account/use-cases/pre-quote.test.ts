import { describe, expect, test } from '@jest/globals';
import { LosslessNumber } from 'lossless-json';
import type { AccountId } from '../../kernel/account.ts';
import type { Fee } from '../../kernel/money/quote.ts';
import type { RateLimits } from '../../partners/tenants/rate-limits.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { limitPartners } from '../../runtime/limits/partner-limiter.ts';
import type { RateLimit } from '../../runtime/limits/rate-limiter.ts';
import { preQuote } from './pre-quote.ts';

const PRINCIPAL = { accountId: 'acme/sandbox' as const, keyId: 'key_1', scopes: ['partner'] } as const;
const BODY = {
  sourceCountry: 'US',
  destinationCountry: 'MX',
  destinationCurrency: 'MXN',
  payoutMethod: 'cash',
  amount: new LosslessNumber('100'),
};

async function price(
  body: unknown,
  { fee = { fixed: '0', percent: '0' }, rate = '18.25' }: { fee?: Fee; rate?: string | undefined } = {},
  allowed = true,
) {
  const routes = [{ destinationCountry: 'MX', payoutType: 'cash' }];
  return preQuote(
    {
      tenants: {
        find: async () => ({ accountId: 'acme/sandbox' as AccountId, tenantId: 'acme', fee }) as Tenant,
        routes: async ({ destinationCountry }) =>
          routes.filter((route) => route.destinationCountry === destinationCountry) as never,
        fxRate: async () => (rate ? { rate, isStale: false } : undefined),
      },
      limiter: {
        take: async () =>
          allowed ? { allowed, quotas: [] } : { allowed, retryAfterSeconds: 12, quotas: [] },
      },
    },
    PRINCIPAL,
    body,
  );
}

const amount = (text: string) => ({ ...BODY, amount: new LosslessNumber(text) });

describe('a quote', () => {
  test.each([
    ['nothing is charged', '100', '100', { fixed: '0', percent: '0' }, '18.25', '0', '1825'],
    ['a fixed fee', '100', '100', { fixed: '2.50', percent: '0' }, '18.25', '2.5', '1779.38'],
    [
      'a percentage of what is exchanged',
      '100.10',
      '100.10',
      { fixed: '0', percent: '1.5' },
      '18.25',
      '1.48',
      '1799.82',
    ],
    ['both', '10', '10', { fixed: '1', percent: '10' }, '2', '1.82', '16.36'],
    [
      'a price that no operation has is left out',
      '0.25',
      '0.2',
      { fixed: '0', percent: '0' },
      '0.1',
      '0',
      '0.02',
    ],
    [
      'the most that can be sent',
      '999999999999.99',
      '999999999999.99',
      { fixed: '0', percent: '0' },
      '1',
      '0',
      '999999999999.99',
    ],
    ['digits are exact', '0.3', '0.3', { fixed: '0.1', percent: '0' }, '3', '0.1', '0.6'],
  ])('%s', async (_what, asked, send, fee, rate, expectedFee, receive) => {
    expect(await price(amount(asked), { fee, rate })).toEqual({
      ok: true,
      quotas: [],
      value: { send, receive, rate, fee: expectedFee, currency: { source: 'USD', destination: 'MXN' } },
    });
  });

  test('fails when the limit of amounts would arrive, or more', async () => {
    const failed = { ok: false, failures: [{ code: 'INVALID_REQUEST', path: ['amount'] }] };
    expect(await price(amount('500000000000'), { rate: '2' })).toMatchObject(failed);
    expect(await price(amount('499999999999.99'), { rate: '2' })).toMatchObject({
      ok: true,
      value: { receive: '999999999999.98' },
    });
  });

  test('fails when nothing would arrive', async () => {
    expect(await price(amount('0.05'), { rate: '0.1' })).toMatchObject({
      ok: false,
      failures: [{ code: 'INVALID_REQUEST', path: ['amount'] }],
    });
  });

  test.each([
    ['the fee', '2', { fixed: '2', percent: '0' }],
    ['less', '1.99', { fixed: '2', percent: '0' }],
    ['all but what rounds to nothing', '0.01', { fixed: '0', percent: '100' }],
  ])('fails for an amount of %s alone', async (_what, sent, fee) => {
    expect(await price(amount(sent), { fee })).toMatchObject({
      ok: false,
      failures: [{ code: 'INVALID_REQUEST', path: ['amount'] }],
    });
  });
});

describe('fails for', () => {
  test.each<[string, unknown, string[]]>([
    ['a text that is not JSON', undefined, ['']],
    ['a list', [], ['']],
    ['a number', new LosslessNumber('1'), ['']],
    [
      'nothing of it',
      {},
      ['sourceCountry', 'destinationCountry', 'destinationCurrency', 'payoutMethod', 'amount'],
    ],
    [
      'everything of it',
      {
        sourceCountry: 'us',
        destinationCountry: 1,
        destinationCurrency: 'XXZ',
        payoutMethod: 'mail',
        amount: '1',
      },
      ['sourceCountry', 'destinationCountry', 'destinationCurrency', 'payoutMethod', 'amount'],
    ],
    ['zero', amount('0'), ['amount']],
    ['a negative amount', amount('-1'), ['amount']],
    ['a tenth of a cent', amount('1.001'), ['amount']],
    ['digits that a double loses', amount('1.00000000000000000001'), ['amount']],
    ['a million millions', amount('1000000000000'), ['amount']],
    ['1e60', amount('1e60'), ['amount']],
  ])('%s', async (_what, body, paths) => {
    const result = await price(body);
    const failures = result.ok ? [] : result.failures;
    expect(failures.map(({ code, path }) => [code, path?.join('.')])).toEqual(
      paths.map((path) => ['INVALID_REQUEST', path]),
    );
  });

  test.each<[string, unknown, string | undefined]>([
    ['a corridor without a route', { ...BODY, destinationCountry: 'GT' }, '18.25'],
    ['a way of paying out without one', { ...BODY, payoutMethod: 'card' }, '18.25'],
    ['a pair without a rate', BODY, ''],
  ])('%s', async (_what, body, rate) => {
    expect(await price(body, { rate })).toMatchObject({
      ok: false,
      failures: [{ code: 'ROUTE_NOT_AVAILABLE' }],
    });
  });

  test('rejects a call over the limit, with any body', async () => {
    expect(await price(undefined, {}, false)).toMatchObject({
      ok: false,
      failures: [{ code: 'RATE_LIMITED' }],
      retryAfterSeconds: 12,
    });
  });
});

describe('the limit', () => {
  /** Quotes once. @returns the limits that the call counted for */
  async function countedFor(rateLimits?: RateLimits) {
    const counted: RateLimit[] = [];
    const verdict = { allowed: true, remaining: 4, resetSeconds: 60 } as const;
    const take = (limit: RateLimit) => {
      counted.push(limit);
      return verdict;
    };
    const tenant = { tenantId: 'acme', fee: { fixed: '0', percent: '0' }, ...(rateLimits && { rateLimits }) };
    const result = await preQuote(
      {
        tenants: {
          find: async () => tenant as Tenant,
          routes: async () => [],
          fxRate: async () => undefined,
        },
        limiter: limitPartners({ take }, 2),
      },
      PRINCIPAL,
      BODY,
    );
    expect(result.quotas).toEqual(
      counted.map((limit) => ({ limit, left: { remaining: 4, resetSeconds: 60 } })),
    );
    return counted.map(({ name, limit, windowSeconds }) => [name, limit, windowSeconds]);
  }

  test('is 30 calls in 60 seconds of a key, and twice as many of all keys', async () => {
    const all = [
      ['pre-quote', 30, 60],
      ['pre-quote-all-keys', 60, 60],
    ];
    expect(await countedFor()).toEqual(all);
    expect(await countedFor({ partner: 5 })).toEqual(all);
  });

  test("is the partner's own if it has one, where 0 is none", async () => {
    expect(await countedFor({ preQuote: 7 })).toEqual([
      ['pre-quote', 7, 60],
      ['pre-quote-all-keys', 14, 60],
    ]);
    expect(await countedFor({ preQuote: 0 })).toEqual([]);
  });
});
