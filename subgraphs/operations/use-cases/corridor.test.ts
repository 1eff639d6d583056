import { describe, expect, test } from '@jest/globals';
import type { Route } from '../../partners/tenants/service.ts';
import type { PaymentMethodType } from '../../users/index.ts';
import { attributionLink, hasRoute, isBadAmount, isStaleRate, priceRequest } from './corridor.ts';

const ROUTES = [
  ['US', 'MX', 'MXN', 'bank_account'],
  ['US', 'MX', 'USD', 'card'],
  ['US', 'GT', 'GTQ', 'cash'],
].map(
  ([sourceCountry, destinationCountry, destinationCurrency, payoutType]) =>
    ({ sourceCountry, destinationCountry, destinationCurrency, payoutType, minAmount: '1000000' }) as Route,
);

const tenants = {
  routesBetween: async (wanted: Pick<Route, 'sourceCountry' | 'destinationCountry'>) =>
    ROUTES.filter(
      (route) =>
        route.sourceCountry === wanted.sourceCountry &&
        route.destinationCountry === wanted.destinationCountry,
    ),
  fxRate: async (source: string, destination: string) => {
    if (source === destination) {
      return { rate: '1', isStale: false };
    }
    return source === 'USD' && destination === 'MXN' ? { rate: '18.25', isStale: false } : undefined;
  },
};

describe('hasRoute', () => {
  test.each<[string, string, string, PaymentMethodType, string | undefined, boolean]>([
    ['an account', 'US', 'MX', 'UBN', undefined, true],
    ['a debit card', 'US', 'MX', 'DebitCard', undefined, true],
    ['a credit card', 'US', 'MX', 'CreditCard', undefined, true],
    ['cash', 'US', 'GT', 'CashPickup', undefined, true],
    ['cash where there is none', 'US', 'MX', 'CashPickup', undefined, false],
    ['another payer', 'MX', 'MX', 'UBN', undefined, false],
    ['another country', 'US', 'CO', 'UBN', undefined, false],
    ['the currency of the route', 'US', 'MX', 'UBN', 'MXN', true],
    ['the currency of another route', 'US', 'MX', 'UBN', 'USD', false],
  ])('%s', async (_name, payerCountry, country, type, currency, found) => {
    const corridor = { payerCountry, country, type, ...(currency !== undefined && { currency }) };
    expect(await hasRoute(tenants, corridor)).toBe(found);
  });
});

describe('priceRequest', () => {
  const price = (payerCountry: string, recipientCurrency = 'MXN', recipientAmount = '1825') =>
    priceRequest(
      tenants,
      { environment: 'live', fee: { fixed: '1', percent: '2' } },
      { payerCountry, recipientAmount, recipientCurrency },
    );

  test("in the currency of the payer's country, with the tenant's fee", async () => {
    expect(await price('US')).toMatchObject({
      ok: true,
      value: { senderCurrency: 'USD', senderAmount: '100', tenantFee: '3', amount: '103' },
    });
  });

  test('the same currency at 1', async () => {
    expect(await price('MX')).toMatchObject({
      value: { senderCurrency: 'MXN', exchangeRate: '1', senderAmount: '1825' },
    });
  });

  test.each([
    ['no rate', 'GT', 'MXN'],
    ['no such country', 'XX', 'MXN'],
    ['a rate in the other direction alone', 'MX', 'USD'],
  ])('%s', async (_name, payerCountry, currency) => {
    expect(await price(payerCountry, currency)).toMatchObject({
      failures: [{ code: 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED' }],
    });
  });
});

describe('a rate that is too old', () => {
  const price = (environment: 'live' | 'sandbox') =>
    priceRequest(
      { fxRate: async () => ({ rate: '18.25', asOf: new Date(0), isStale: true }) },
      { environment, fee: { fixed: '1', percent: '2' } },
      { payerCountry: 'US', recipientAmount: '1825', recipientCurrency: 'MXN' },
    );

  test('fails a live call', async () => {
    const priced = await price('live');
    expect(priced).toMatchObject({ failures: [{ code: 'RATE_STALE' }] });
    expect([isStaleRate(priced), isBadAmount(priced)]).toEqual([true, false]);
  });

  test('prices a sandbox call', async () => {
    expect(await price('sandbox')).toMatchObject({ ok: true, value: { amount: '103' } });
  });
});

describe('isBadAmount', () => {
  const price = (recipientAmount: string, rate: string | undefined, fixed = '0') =>
    priceRequest(
      { fxRate: async () => (rate === undefined ? undefined : { rate, isStale: false }) },
      { environment: 'live', fee: { fixed, percent: '0' } },
      { payerCountry: 'US', recipientAmount, recipientCurrency: 'MXN' },
    );

  test.each([
    ['less than half a cent', '0.09', '18.25', '0'],
    ['half a cent, which rounds to the even 0', '0.09', '18', '0'],
    ['nothing but the fee', '0.09', '18.25', '1'],
    ['too much', '999999999999.99', '0.9', '0'],
    ['too much with the fee', '999999999999', '1', '1'],
  ])('finds an amount whose price is %s', async (_name, amount, rate, fixed) => {
    const priced = await price(amount, rate, fixed);
    expect(priced).toMatchObject({ failures: [{ path: ['recipientAmount'] }] });
    expect(isBadAmount(priced)).toBe(true);
  });

  test.each([
    ['a cent', '0.1', '18.25'],
    ['the most there is', '999999999999.99', '1'],
    ['unknown, for want of a rate', '0.01', undefined],
  ])('not one whose price is %s', async (_name, amount, rate) => {
    expect(isBadAmount(await price(amount, rate))).toBe(false);
  });
});

test('attributionLink', () => {
  expect(attributionLink({ attributionBaseUrl: 'https://acme.test/t' }, 'corr-1')).toBe(
    'https://acme.test/t/corr-1',
  );
  expect(attributionLink({ attributionBaseUrl: 'https://acme.test/t' }, '../../evil?x=\r\n')).toBe(
    'https://acme.test/t/..%2F..%2Fevil%3Fx=%0D%0A',
  );
  expect(attributionLink({}, 'corr-1')).toBe('');
});
