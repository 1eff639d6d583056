import { describe, expect, test } from '@jest/globals';
import type { Route } from '../platform/tenants/service.ts';
import type { PaymentMethodType } from '../users/index.ts';
import { attributionLink, hasRoute, priceRequest } from './corridor.ts';

const ROUTES = [
  ['US', 'MX', 'MXN', 'bank_account'],
  ['US', 'MX', 'USD', 'card'],
  ['US', 'GT', 'GTQ', 'cash'],
].map(
  ([sourceCountry, destinationCountry, destinationCurrency, payoutType]) =>
    ({ sourceCountry, destinationCountry, destinationCurrency, payoutType, minAmount: '1000000' }) as Route,
);

const tenants = {
  routesBetween: async (asked: Pick<Route, 'sourceCountry' | 'destinationCountry'>) =>
    ROUTES.filter(
      (route) =>
        route.sourceCountry === asked.sourceCountry && route.destinationCountry === asked.destinationCountry,
    ),
  fxRate: async (source: string, destination: string) => {
    if (source === destination) {
      return '1';
    }
    return source === 'USD' && destination === 'MXN' ? '18.25' : undefined;
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
  const price = (payerCountry: string, recipientCurrency = 'MXN') =>
    priceRequest(
      tenants,
      { fee: { fixed: '1', percent: '2' } },
      { payerCountry, recipientAmount: '1825', recipientCurrency },
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
      refusals: [{ code: 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED' }],
    });
  });
});

test('attributionLink', () => {
  expect(attributionLink({ attributionBaseUrl: 'https://acme.test/t' }, 'corr-1')).toBe(
    'https://acme.test/t/corr-1',
  );
  expect(attributionLink({ attributionBaseUrl: 'https://acme.test/t' }, '../../evil?x=\r\n')).toBe(
    'https://acme.test/t/..%2F..%2Fevil%3Fx%3D%0D%0A',
  );
  expect(attributionLink({}, 'corr-1')).toBe('');
});
