import { expect, test } from '@jest/globals';
import type { FxRate } from '../../subgraphs/partners/tenants/service.ts';
import { createHttpRates, rateSourceOf, refreshRates } from './rate-source.ts';

const ANSWER = {
  asOf: '2026-11-21T08:00:00.000Z',
  rates: [{ source: 'USD', destination: 'MXN', rate: '18.25' }],
};
const NOW = new Date('2026-11-21T08:00:05.000Z');
const { signal } = new AbortController();

function sourceOf(body: string, status = 200) {
  const asked: { url: string; method: string }[] = [];
  const source = createHttpRates('https://rates.test/latest?key=1', {
    fetch: async (url, { method }) => {
      asked.push({ url, method });
      return new Response(body, { status });
    },
    close: async () => undefined,
  });
  return { source, asked };
}

async function refresh(body: string) {
  const stored: { rates: readonly FxRate[]; asOf: Date; staleAt: Date }[] = [];
  const deps = {
    tenants: {
      refreshFxRates: async (rates: readonly FxRate[], times: { asOf: Date; staleAt: Date }) =>
        void stored.push({ rates, ...times }),
    },
    clock: () => NOW,
    log: { info: () => undefined },
    maxAgeSeconds: 900,
  };
  await refreshRates(deps, sourceOf(body).source, signal);
  return stored;
}

test('rates of the source are stored with their time, and with the end that their largest age gives', async () => {
  expect(await refresh(JSON.stringify(ANSWER))).toEqual([
    {
      rates: ANSWER.rates,
      asOf: new Date('2026-11-21T08:00:00.000Z'),
      staleAt: new Date('2026-11-21T08:15:00.000Z'),
    },
  ]);
});

test('rates of the future are refused: they would stay fresh for too long', async () => {
  await expect(refresh(JSON.stringify({ ...ANSWER, asOf: '2026-11-21T08:02:00.000Z' }))).rejects.toThrow(
    'rates of the future',
  );
});

test('the source is asked by GET', async () => {
  const { source, asked } = sourceOf(JSON.stringify(ANSWER));
  await source.read(signal);
  expect(asked).toEqual([{ url: 'https://rates.test/latest?key=1', method: 'GET' }]);
});

test.each([
  ['no JSON', 'oops', 200],
  ['no list', '{"asOf":"2026-11-21T08:00:00.000Z"}', 200],
  ['no time', JSON.stringify({ ...ANSWER, asOf: 'today' }), 200],
  ['no rate', JSON.stringify({ ...ANSWER, rates: [] }), 200],
  ['a rate of 0', JSON.stringify({ ...ANSWER, rates: [{ ...ANSWER.rates[0], rate: '0' }] }), 200],
  [
    'a rate that is a number',
    JSON.stringify({ ...ANSWER, rates: [{ ...ANSWER.rates[0], rate: 18.25 }] }),
    200,
  ],
  [
    'a withdrawn currency',
    JSON.stringify({ ...ANSWER, rates: [{ ...ANSWER.rates[0], destination: 'HRK' }] }),
    200,
  ],
  ['an error', JSON.stringify(ANSWER), 500],
  ['a redirect', JSON.stringify(ANSWER), 302],
])('an answer with %s has no usable rates', async (_title, body, status) => {
  await expect(sourceOf(body, status).source.read(signal)).rejects.toThrow('no usable answer');
});

test('a private address is not asked (SSRF)', async () => {
  const source = rateSourceOf({ FX_RATES_URL: 'https://127.0.0.1:9/rates', FX_RATES_ALLOWED_CIDRS: [] });
  await expect(source?.read(signal)).rejects.toThrow('No answer from https://127.0.0.1:9');
  await source?.close();
});

test('without a URL there is no source', () => {
  expect(rateSourceOf({ FX_RATES_URL: undefined, FX_RATES_ALLOWED_CIDRS: [] })).toBeUndefined();
});
