import { describe, expect, test } from '@jest/globals';
import type { Tenant } from '../../partners/tenants/service.ts';
import { readRequestMoneyFull } from '../commands/request-money-full.ts';
import { acme, bodyOf, CARD, CASH, START, toJson, UBN } from '../testing.ts';
import { CHECKS, type CheckDeps, checkRequest } from './check-request.ts';

const ROUTES = [
  ['US', 'MX', 'MXN', 'bank_account'],
  ['US', 'MX', 'MXN', 'card'],
  ['US', 'MX', 'USD', 'cash'],
  ['US', 'GT', 'GTQ', 'bank_account'],
  ['CA', 'MX', 'MXN', 'bank_account'],
  ['MX', 'MX', 'MXN', 'bank_account'],
] as const;
const deps: CheckDeps = {
  operations: {
    isIdTaken: async (_tenantId, id) => id === 'taken',
    quotes: { find: async () => undefined, use: () => undefined },
  },
  tenants: {
    hasRoutesFrom: async (country) => ROUTES.some(([sourceCountry]) => sourceCountry === country),
    routesBetween: async (countries) =>
      ROUTES.map(([sourceCountry, destinationCountry, destinationCurrency, payoutType]) => ({
        sourceCountry,
        destinationCountry,
        destinationCurrency,
        payoutType,
        payerCode: null,
      })).filter(
        (route) =>
          route.sourceCountry === countries.sourceCountry &&
          route.destinationCountry === countries.destinationCountry,
      ),
    fxRate: async (source, destination) => {
      const isKnown = source === 'USD' && destination === 'MXN';
      const rate = source === destination ? '1' : isKnown ? '18.25' : undefined;
      return rate === undefined ? undefined : { rate, isStale: false };
    },
  },
};

/** The first failure of a body, when saving has met a key that was there: its code and path. */
async function firstIssue(
  body: unknown,
  tenant: Tenant = acme,
  isRetry = true,
): Promise<[string, string] | undefined> {
  const read = readRequestMoneyFull(toJson(body));
  const checked = read.ok ? await checkRequest(deps, tenant, read.value, START, isRetry) : read;
  const [failure] = checked.ok ? [] : checked.failures;
  return failure && [failure.code, failure.path?.join('.') ?? ''];
}

type Changes = NonNullable<Parameters<typeof bodyOf>[0]>;

/** Merges changes of one body; `undefined` takes a property away. */
function merge(...all: readonly Changes[]): Changes {
  const part = (name: keyof Changes) => Object.assign({}, ...all.map((changes) => changes[name] ?? {}));
  return {
    requester: part('requester'),
    request: part('request'),
    requestTo: part('requestTo'),
    method: Object.assign({}, UBN, ...all.map(({ method }) => method ?? {})),
  };
}

const M = 'request.destinationPaymentMethod';

/** An issue for each check that bodies can fail, in the order in which the first one decides (decisions, section 2). */
const ISSUES: readonly (readonly [code: string, path: string, changes: Changes])[] = [
  ['ERROR_REQUEST_MONEY_FULL', 'requester.city', { requester: { city: 7 } }],
  ['ERROR_INVALID_COUNTRY_CODE', 'requester.countryCode', { requester: { countryCode: 'XX', state: 'x' } }],
  ['ERROR_INVALID_COUNTRY_CODE', 'request.requestTo.countryCode', { requestTo: { countryCode: 'us' } }],
  ['ERROR_COUNTRY_NOT_SUPPORTED', 'requester.countryCode', { requester: { countryCode: 'GT', state: 'x' } }],
  ['ERROR_COUNTRY_NOT_SUPPORTED', 'request.requestTo.countryCode', { requestTo: { countryCode: 'FR' } }],
  [
    'ERROR_PHONE_NUMBER_NOT_SUPPORTED',
    'request.requestTo.phoneNumber',
    { requestTo: { phoneNumber: '+34600123456' } },
  ],
  ['ERROR_PAYMENT_METHOD_NOT_FOUND', `${M}.type`, { method: { type: 'Cheque' } }],
  ['ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED', `${M}.country`, { method: { country: 'JP' } }],
  ['ERROR_INVALID_CURRENCY_CODE', 'request.recipientCurrency', { method: { currency: 'USD' } }],
  ['ERROR_INVALID_AMOUNT_ERROR', 'request.recipientAmount', { request: { recipientAmount: 0 } }],
  ['ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED', `${M}.country`, { requestTo: { countryCode: 'CA' } }],
  ['ERROR_CORRELATION_ID_REQUIRED', 'request.correlationId', { request: { correlationId: '' } }],
  ['ERROR_CORRELATION_ID_ALREADY_USED', 'request.correlationId', { request: { correlationId: 'taken' } }],
  ['INVALID_NAME', 'requester.firstName', { requester: { firstName: 'R2D2' } }],
  ['INVALID_NAME', 'requester.lastName', { requester: { lastName: '\u200b' } }],
  ['INVALID_NAME', 'requester.lastName2', { requester: { lastName2: '' } }],
  ['INVALID_NAME', 'requester.middleName', { requester: { middleName: 'Ana\0' } }],
  ['INVALID_NAME', 'request.requestTo.firstName', { requestTo: { firstName: '\u202eBob' } }],
  ['INVALID_NAME', 'request.requestTo.lastName', { requestTo: { lastName: '' } }],
  ['INVALID_NAME', `${M}.nameOnCard`, { method: { ...CARD, nameOnCard: '\u2800' } }],
  ['ERROR_INVALID_DATE_OF_BIRTH', 'requester.dob', { requester: { dob: '2010-01-01' } }],
  ['INVALID_PHONE_NUMBER', 'requester.phoneNumber', { requester: { phoneNumber: '+52123' } }],
  ['INVALID_PHONE_NUMBER', 'request.requestTo.phoneNumber', { requestTo: { phoneNumber: '+1555' } }],
  ['ERROR_UBN_NUMBER_REQUIRED', `${M}.number`, { method: { number: '' } }],
  ['ERROR_CARD_VERIFICATION', `${M}.expirationDate`, { method: { ...CARD, expirationDate: '1026' } }],
];

describe('the order of the checks', () => {
  test.each(ISSUES)('%s at %s', async (code, path, changes) => {
    expect(await firstIssue(bodyOf(merge(changes)))).toEqual([code, path]);
  });

  const clashes = (one: Changes, other: Changes) =>
    (['requester', 'request', 'requestTo', 'method'] as const).some((part) =>
      Object.keys(one[part] ?? {}).some((name) => name in (other[part] ?? {})),
    );
  const pairs = ISSUES.flatMap((first, index) =>
    ISSUES.slice(index + 1)
      .filter((second) => !clashes(first[2], second[2]))
      .map((second) => [first, second] as const),
  );

  test('when a body has two issues, the first one in the table is answered', async () => {
    expect(pairs.length).toBeGreaterThan(100);
    for (const [[code, path, one], [, , other]] of pairs) {
      expect([await firstIssue(bodyOf(merge(one, other))), one, other]).toEqual([[code, path], one, other]);
    }
  });

  test('a fault that saving finds by itself is looked up before only where another check fails', async () => {
    const taken = ISSUES.find(([code]) => code === 'ERROR_CORRELATION_ID_ALREADY_USED');
    const [code, path, changes] = taken ?? ISSUES[0]!;
    expect(await firstIssue(bodyOf(merge(changes)), acme, false)).toBeUndefined();
    const [, , later] = ISSUES.at(-1)!;
    expect(await firstIssue(bodyOf(merge(changes, later)), acme, false)).toEqual([code, path]);
    for (const [own, at, one] of ISSUES.filter((issue) => issue !== taken)) {
      expect(await firstIssue(bodyOf(merge(one)), acme, false)).toEqual([own, at]);
    }
  });

  test('every check of the table has an issue here', () => {
    const paths = CHECKS.map(({ path }) => path.join('.')).filter((path) => path !== '');
    expect(ISSUES.slice(1).map(([, path]) => path)).toEqual(paths);
  });

  test('a partner without a country is reported before faults of the body', async () => {
    const { country: _, ...nowhere } = acme;
    const all = merge(...ISSUES.slice(1).map(([, , changes]) => changes));
    expect(await firstIssue(bodyOf(all), nowhere)).toEqual(['ERROR_TENANT_NOT_FOUND', '']);
    expect(await firstIssue(bodyOf({ requester: { city: 7 } }), nowhere)).toEqual([
      'ERROR_REQUEST_MONEY_FULL',
      'requester.city',
    ]);
  });
});

describe('the shape', () => {
  const { requester, request } = bodyOf();
  const without = (name: string, of: object) =>
    Object.fromEntries(Object.entries(of).filter(([key]) => key !== name));
  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a number', 1],
    ['a text', 'x'],
    ['no requester', { request }],
    ['no request', { requester }],
    ['an unknown property', { requester, request, more: 1 }],
    ['an unknown property of the requester', { requester: { ...requester, more: 1 }, request }],
    ['an unknown property of the request', { requester, request: { ...request, more: 1 } }],
    [
      'an unknown property of the payer',
      { requester, request: { ...request, requestTo: { ...request.requestTo, more: 1 } } },
    ],
    ['a request that is a number', { requester, request: 5 }],
    ['no payer', { requester, request: without('requestTo', request) }],
    ['a reason that is a number', { requester, request: { ...request, reason: 5 } }],
    ['no address', { requester: without('address1', requester), request }],
    [
      'a correlation id of 256 characters',
      { requester, request: { ...request, correlationId: 'x'.repeat(256) } },
    ],
    [
      'half a surrogate in the correlation id',
      { requester, request: { ...request, correlationId: '\ud800' } },
    ],
  ])('%s is ERROR_REQUEST_MONEY_FULL', async (_what, body) => {
    expect((await firstIssue(body))?.[0]).toBe('ERROR_REQUEST_MONEY_FULL');
  });

  test('does not have the name on a card, whose check has a code of its own', async () => {
    const body = {
      requester,
      request: { ...request, destinationPaymentMethod: without('nameOnCard', CARD) },
    };
    expect((await firstIssue(body))?.[0]).toBe('INVALID_NAME');
  });

  test('no JSON at all', () => {
    expect(readRequestMoneyFull(undefined)).toMatchObject({
      failures: [{ code: 'ERROR_REQUEST_MONEY_FULL' }],
    });
  });

  test.each<[string, Changes]>([
    ['INVALID_PHONE_NUMBER', { requester: { phoneNumber: undefined } }],
    ['INVALID_PHONE_NUMBER', { requestTo: { phoneNumber: 5 } }],
    ['INVALID_NAME', { requester: { firstName: undefined } }],
    ['INVALID_NAME', { requestTo: { lastName: ['Roe'] } }],
    ['ERROR_INVALID_COUNTRY_CODE', { requester: { countryCode: undefined } }],
    ['ERROR_INVALID_COUNTRY_CODE', { requestTo: { countryCode: 5 } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: '1500.5' } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: undefined } }],
    ['ERROR_INVALID_CURRENCY_CODE', { request: { recipientCurrency: undefined } }],
    ['ERROR_INVALID_CURRENCY_CODE', { method: { ...UBN, currency: undefined } }],
    ['ERROR_INVALID_CURRENCY_CODE', { method: { ...CARD, currency: undefined } }],
    ['ERROR_CORRELATION_ID_REQUIRED', { request: { correlationId: undefined } }],
    ['ERROR_CORRELATION_ID_REQUIRED', { request: { correlationId: 5 } }],
    ['ERROR_PAYMENT_METHOD_NOT_FOUND', { request: { destinationPaymentMethod: undefined } }],
    ['ERROR_PAYMENT_METHOD_NOT_FOUND', { request: { destinationPaymentMethod: 'UBN' } }],
    ['ERROR_PAYMENT_METHOD_NOT_FOUND', { request: { destinationPaymentMethod: {} } }],
    ['ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED', { method: { ...UBN, country: undefined } }],
    ['ERROR_INVALID_DATE_OF_BIRTH', { requester: { dob: 19900131 } }],
    ['ERROR_UBN_NUMBER_REQUIRED', { method: { ...UBN, number: undefined } }],
    ['ERROR_CARD_VERIFICATION', { method: { ...CARD, number: undefined } }],
  ])('a missing or mistyped value gets the code of its check: %s', async (code, changes) => {
    expect((await firstIssue(bodyOf(changes)))?.[0]).toBe(code);
  });
});

describe('single checks', () => {
  test.each<[string, Changes]>([
    ['a card of spaces', { method: CARD }],
    ['a credit card', { method: { ...CARD, type: 'CreditCard', number: '5555-5555-5555-4444' } }],
    ['unknown properties of the method', { method: { ...UBN, more: 1 } }],
    ['no date of birth', { requester: { dob: undefined } }],
    ['a payer in a country that is not the partner’s', { requestTo: { countryCode: 'US' } }],
    [
      'a payer in the same country, at rate 1',
      { requestTo: { countryCode: 'MX', phoneNumber: '55 1234 5678' } },
    ],
    ['a national number', { requester: { phoneNumber: '55 1234 5678' } }],
    ['a correlation id of 255 characters', { request: { correlationId: 'x'.repeat(255) } }],
    ['trailing zeros', { request: { recipientAmount: 10.1 } }],
    ['the smallest amount that has a price', { request: { recipientAmount: 0.1 } }],
    ['the largest amount', { request: { recipientAmount: 999_999_999_999.99 } }],
  ])('%s passes', async (_what, changes) => {
    expect(await firstIssue(bodyOf(changes))).toBeUndefined();
  });

  test.each<[string, Changes]>([
    ['ERROR_CARD_VERIFICATION', { method: { ...CARD, number: '4111111111111112' } }],
    ['ERROR_CARD_VERIFICATION', { method: { ...CARD, expirationDate: '1026' } }],
    ['ERROR_CARD_VERIFICATION', { method: { ...CARD, expirationDate: '1330' } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: -1 } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: 1.005 } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: 0.09 } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: 0.09, correlationId: 'taken' } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: 1e12 } }],
    ['ERROR_INVALID_AMOUNT_ERROR', { request: { recipientAmount: 1e60 } }],
    [
      'ERROR_INVALID_CURRENCY_CODE',
      { request: { recipientCurrency: 'XYZ' }, method: { ...UBN, currency: 'XYZ' } },
    ],
    [
      'ERROR_INVALID_CURRENCY_CODE',
      { request: { recipientCurrency: 'USD' }, method: { ...UBN, currency: 'USD' } },
    ],
    // A route that pays out in cash, but in another currency.
    ['ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED', { method: CASH }],
    ['INVALID_PHONE_NUMBER', { requester: { phoneNumber: '+528001234567' } }],
  ])('%s: %j', async (code, changes) => {
    expect((await firstIssue(bodyOf(changes)))?.[0]).toBe(code);
  });

  test('a card is good to the end of its month', async () => {
    expect(await firstIssue(bodyOf({ method: { ...CARD, expirationDate: '1126' } }))).toBeUndefined();
  });

  test('a valid call is normalised and priced', async () => {
    const read = readRequestMoneyFull(
      toJson(bodyOf({ method: CARD, request: { reason: 'Rent', correlationId: 'c1' } })),
    );
    const checked = read.ok ? await checkRequest(deps, acme, read.value, START, false) : read;
    expect(checked).toMatchObject({
      value: {
        correlationId: 'c1',
        reason: 'Rent',
        attributionLink: 'https://acme.test/t/c1',
        contact: { phoneNumber: '+12125550123', countryCode: 'US' },
        method: { type: 'DebitCard', number: '4111111111111111', currency: 'MXN' },
        quote: { recipientAmount: '1500.5', senderAmount: '82.22', amount: '82.22', senderCurrency: 'USD' },
      },
    });
  });
});
