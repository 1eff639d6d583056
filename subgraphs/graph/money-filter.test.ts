import 'reflect-metadata';
import { describe, expect, test } from '@jest/globals';
import { type MoneyWhereInput, toMoneyFilter } from './money-filter.ts';

const PATHS = {
  amount: 'quote.amount',
  currency: 'quote.currency',
  sourceCountry: 'from',
  destinationCountry: 'to',
};
const FROM = new Date('2026-03-01T00:00:00.000Z');
const daysLater = (days: number) => new Date(FROM.getTime() + days * 86_400_000);
const MONTH = { gte: FROM, lt: daysLater(31) };

const filterOf = (where: MoneyWhereInput, narrowing: Partial<Parameters<typeof toMoneyFilter>[2]> = {}) =>
  toMoneyFilter(where, PATHS, { createdAt: MONTH, selective: { userId: null }, ...narrowing });

describe('A filter of money', () => {
  test('has no condition where nothing is given', () => {
    expect(toMoneyFilter(undefined, PATHS, { selective: {} })).toEqual({});
    const nothing = { amount: null, currency: null, sourceCountry: null, destinationCountry: null };
    expect(toMoneyFilter(nothing, PATHS, { selective: {}, more: { userId: null } })).toEqual({});
    expect(filterOf({ amount: {} })).toEqual({});
  });

  test('is that of the stored fields; amounts are compared as numbers', () => {
    const where = { currency: 'MXN', sourceCountry: 'US', destinationCountry: 'MX' };
    expect(filterOf({ ...where, amount: { gte: '9.50', lte: '100' } })).toEqual({
      'quote.currency': 'MXN',
      from: 'US',
      to: 'MX',
      $expr: {
        $and: [
          { $gte: [{ $toDecimal: '$quote.amount' }, { $toDecimal: '9.50' }] },
          { $lte: [{ $toDecimal: '$quote.amount' }, { $toDecimal: '100' }] },
        ],
      },
    });
  });

  test.each<[string, Partial<Parameters<typeof toMoneyFilter>[2]>]>([
    ['without a span', { createdAt: null }],
    ['with an open end', { createdAt: { gte: FROM } }],
    ['with an open beginning', { createdAt: { lt: daysLater(1) } }],
    [
      'with a span that is a moment too long',
      { createdAt: { gte: FROM, lt: new Date(daysLater(31).getTime() + 1) } },
    ],
  ])('is not taken %s, unless it is of a user', (_name, narrowing) => {
    for (const where of [
      { currency: 'MXN' },
      { sourceCountry: 'US' },
      { destinationCountry: 'MX' },
      { amount: { gte: '1' } },
    ]) {
      expect(() => filterOf(where, narrowing)).toThrow(/at most 31 days apart, or where\.userId/);
      expect(() => filterOf(where, { ...narrowing, selective: { userId: 'usr_1' } })).not.toThrow();
    }
    expect(() => filterOf({}, { ...narrowing, more: { contactId: 'con_1' } })).toThrow(/where\.contactId/);
  });
});
