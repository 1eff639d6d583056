import { describe, expect, test } from '@jest/globals';
import { iso31661 } from 'iso-3166';
import { currencyDecimals, currencyIssue, currencyOfCountry, isCountry, isCurrency } from './iso.ts';
import { CURRENCY_DECIMALS, ISO_4217_EDITION, WITHDRAWN_CURRENCIES } from './iso-4217.ts';

describe('the table of currencies is that of ISO 4217 amendment 180', () => {
  test('which has been in force since 2026-01-01', () => {
    expect(ISO_4217_EDITION).toMatchObject({ amendment: 180, inForce: '2026-01-01' });
  });

  test('with as many codes of each minor unit as list one', () => {
    const counts = new Map<number, number>();
    for (const decimals of CURRENCY_DECIMALS.values()) {
      counts.set(decimals, (counts.get(decimals) ?? 0) + 1);
    }
    expect([...counts].sort()).toEqual([
      [0, 17],
      [2, 139],
      [3, 7],
      [4, 2],
    ]);
  });

  test.each(['XCG', 'XAD', 'ZWG', 'SLE', 'VES', 'VED', 'MRU', 'STN', 'BYN', 'EUR'])(
    '%s is in force',
    (code) => {
      expect([isCurrency(code), currencyDecimals(code), currencyIssue(code)]).toEqual([true, 2, undefined]);
    },
  );

  test.each(Object.entries(WITHDRAWN_CURRENCIES))(
    '%s is withdrawn, and names its successor',
    (code, past) => {
      expect([isCurrency(code), currencyDecimals(code)]).toEqual([false, undefined]);
      expect(currencyIssue(code)).toBe(
        `${code} was withdrawn from ISO 4217 in ${past.since}: use ${past.successor}`,
      );
      expect(isCurrency(past.successor)).toBe(true);
    },
  );

  test.each([
    'XXX',
    'XTS',
    'XAU',
    'XAG',
    'XPT',
    'XPD',
    'XDR',
    'XSU',
    'XUA',
    'XBA',
    'usd',
    'US',
    '',
    'toString',
  ])('%j is not a currency of money', (code) => {
    expect([isCurrency(code), currencyIssue(code)]).toEqual([false, 'must be an ISO 4217 code']);
  });
});

describe('the currency of a country', () => {
  test.each([
    ['BG', 'EUR'],
    ['HR', 'EUR'],
    ['LT', 'EUR'],
    ['CW', 'XCG'],
    ['SX', 'XCG'],
    ['BQ', 'USD'],
    ['SL', 'SLE'],
    ['ZW', 'ZWG'],
    ['CU', 'CUP'],
    ['VE', 'VES'],
    ['MR', 'MRU'],
    ['ST', 'STN'],
    ['BY', 'BYN'],
    ['US', 'USD'],
    ['MX', 'MXN'],
    ['ZZ', undefined],
    ['AN', undefined],
  ])('of %s is %s', (country, currency) => {
    expect(currencyOfCountry(country)).toBe(currency);
  });

  test('is in force for every country of ISO 3166-1', () => {
    const outdated = iso31661
      .map(({ alpha2 }) => [alpha2, currencyOfCountry(alpha2)] as const)
      .filter(([, currency]) => currency !== undefined && !isCurrency(currency));
    expect(outdated).toEqual([]);
  });
});

test('a country is an assigned alpha-2 code in upper case', () => {
  expect(['MX', 'mx', 'XX', 'UK', 'AN'].map(isCountry)).toEqual([true, false, false, false, false]);
});
