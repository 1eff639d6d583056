import { describe, expect, test } from '@jest/globals';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { ACCOUNT, CARD, START } from '../testing.ts';
import { checkMethod, holderIssue, methodShape, readMethodType, toPaymentMethod } from './payment-method.ts';

const UBN = { type: 'UBN', ...ACCOUNT };
const shape = (value: unknown) => methodShape.safeParse(parse(JSON.stringify(value)));
const rawOf = (value: object) => methodShape.parse(parse(JSON.stringify(value)));
const failureOf = (value: object) => {
  const checked = checkMethod(rawOf(value), START);
  return checked.ok ? undefined : checked.failures[0];
};
const issueOf = (value: object) => failureOf(value)?.code;

describe('shape', () => {
  test('ignores unknown fields', () => {
    expect(rawOf({ ...CARD, cvv: '123' })).toEqual(CARD);
  });

  test.each([
    ['an unknown type', { type: 'Wire', country: 'MX' }],
    ['no type', {}],
    [
      'numbers in every place',
      { type: 1, number: 2, expirationDate: 3, country: 4, currency: 5, nameOnCard: 6 },
    ],
    ['an account without a name', UBN],
    ['a card without a name', { ...CARD, nameOnCard: undefined }],
    ['cash', { type: 'CashPickup', country: 'MX' }],
  ])('passes %s: its check has a code of its own', (_what, value) => {
    expect(shape(value).success).toBe(true);
  });

  test.each([
    ['UBN', 'nameOnCard'],
    ['UBN', 'expirationDate'],
    ['CashPickup', 'number'],
    ['CashPickup', 'nameOnCard'],
    ['CashPickup', 'expirationDate'],
  ])('takes for %s a %s that is a text, and nothing else', (type, field) => {
    const method = { ...UBN, type };
    expect(shape({ ...method, [field]: 'any' }).success).toBe(true);
    for (const value of [5, null, ['a'], { a: 1 }, true]) {
      expect(shape({ ...method, [field]: value }).error?.issues).toMatchObject([
        { path: [field], message: 'must be a string' },
      ]);
    }
  });

  test.each([null, 7, 'DebitCard', [CARD], true])('reads %j as a method without a type', (value) => {
    expect(readMethodType(shape(value).data)).toBeUndefined();
  });

  test('within an object it may be left out', () => {
    const request = z.strictObject({ destinationPaymentMethod: methodShape });
    expect(readMethodType(request.parse({}).destinationPaymentMethod)).toBeUndefined();
  });
});

test.each(['DebitCard', 'CreditCard', 'UBN', 'CashPickup'])('%s is a type', (type) => {
  expect(readMethodType({ type })).toBe(type);
});

test.each(['debitcard', 'UBN ', '', 7, null, undefined, ['UBN'], 'toString'])('%j is not a type', (type) => {
  expect(readMethodType({ type })).toBeUndefined();
});

describe('the name on a card', () => {
  const issueOfHolder = (value: object) => {
    const read = shape(value).data;
    return read && holderIssue(read);
  };

  test.each([
    undefined,
    null,
    7,
    ['Ana'],
    'a'.repeat(256),
    '',
    ' ',
    '\u200b',
    '\u3164',
    'Ana\0',
    '\u202eAna',
    'Ana\ud800',
  ])('is not %j', (nameOnCard) => {
    expect(issueOfHolder({ ...CARD, nameOnCard })).toBe('INVALID_NAME');
    expect(issueOfHolder({ ...CARD, type: 'CreditCard', nameOnCard })).toBe('INVALID_NAME');
    expect(issueOfHolder(UBN)).toBeUndefined();
  });

  test('may have digits, as cards have', () => {
    expect(issueOfHolder({ ...CARD, nameOnCard: 'JUAN PEREZ 2' })).toBeUndefined();
  });
});

describe('issues of numbers', () => {
  test.each([
    ['a card', CARD],
    ['a credit card, to the end of this month', { ...CARD, type: 'CreditCard', expirationDate: '1126' }],
    ['dashes', { ...CARD, number: '4111-1111-1111-1111' }],
    ['an account', UBN],
    ['an account of letters', { ...UBN, number: 'GB29 NWBK 6016 1331 9268 19' }],
    ['cash', { type: 'CashPickup', country: 'MX' }],
    ['cash with a number that it does not need', { type: 'CashPickup', country: 'MX', number: 'x' }],
  ])('%s has none', (_what, value) => {
    expect(issueOf(value)).toBeUndefined();
  });

  test.each([
    ['a check digit', { number: '4111111111111112' }],
    ['no number', { number: undefined }],
    ['a number that is no text', { number: 4_111_111_111_111_111 }],
    ['letters', { number: '4111 1111 1111 111a' }],
    ['the month before', { expirationDate: '1026' }],
    ['month 00', { expirationDate: '0028' }],
    ['month 13', { expirationDate: '1328' }],
    ['MM/YY', { expirationDate: '12/28' }],
    ['no month', { expirationDate: undefined }],
    ['a month that is no text', { expirationDate: 1228 }],
  ])('a card with %s: ERROR_CARD_VERIFICATION at that field', (_what, changes) => {
    const failure = { code: 'ERROR_CARD_VERIFICATION', path: Object.keys(changes) };
    expect(failureOf({ ...CARD, ...changes })).toMatchObject(failure);
    expect(issueOf({ ...CARD, type: 'CreditCard', ...changes })).toBe('ERROR_CARD_VERIFICATION');
  });

  test.each([
    ['no number', undefined],
    ['an empty number', ''],
    ['spaces', '   '],
    ['a number that is no text', 32_180],
    ['null', null],
    ['256 characters', '1'.repeat(256)],
  ])('an account with %s: ERROR_UBN_NUMBER_REQUIRED', (_what, number) => {
    expect(issueOf({ ...UBN, number })).toBe('ERROR_UBN_NUMBER_REQUIRED');
  });
});

describe('reading', () => {
  test('a card has its digits alone', () => {
    expect(toPaymentMethod(rawOf(CARD), 'USD')).toEqual({ ...CARD, number: '4111111111111111' });
  });

  test('an account has its number as it was given', () => {
    expect(toPaymentMethod(rawOf({ ...UBN, nameOnCard: 'dropped' }), 'USD')).toEqual(UBN);
  });

  test('cash is paid in the currency of the request when it does not say', () => {
    const cash = { type: 'CashPickup', country: 'MX' };
    expect(toPaymentMethod(rawOf(cash), 'MXN')).toEqual({ ...cash, currency: 'MXN' });
    expect(toPaymentMethod(rawOf({ ...cash, currency: 'USD', number: '1' }), 'MXN')).toEqual({
      ...cash,
      currency: 'USD',
    });
  });

  test.each([
    ['no type', { ...CARD, type: 'Wire' }],
    ['no country', { ...UBN, country: undefined }],
    ['no currency', { ...UBN, currency: undefined }],
  ])('an unchecked value throws: %s', (_what, value) => {
    expect(() => toPaymentMethod(rawOf(value), 'MXN')).toThrow(TypeError);
  });
});
