import { describe, expect, test } from '@jest/globals';
import { AMOUNT_LIMIT, isChargeable, isWithin, readAmount } from './amount.ts';

describe('readAmount', () => {
  test.each([
    ['0.1', 'MXN', '0.1'],
    ['10.10', 'MXN', '10.10'],
    ['1500.5', 'MXN', '1500.5'],
    ['10.100', 'MXN', '10.100'],
    ['1e3', 'MXN', '1000'],
    ['1.5E1', 'JPY', '15'],
    ['999999999999.99', 'MXN', '999999999999.99'],
    ['999999999999', 'JPY', '999999999999'],
    ['0.001', 'KWD', '0.001'],
  ])('keeps %s %s', (text, currency, amount) => {
    expect(readAmount(text, currency)).toEqual({ ok: true, amount });
  });

  test.each([
    ['1000000000000', 'MXN', 'TOO_LARGE'],
    ['1000000000000', 'JPY', 'TOO_LARGE'],
    ['1e12', 'KWD', 'TOO_LARGE'],
    ['1e60', 'MXN', 'TOO_LARGE'],
    ['1e400', 'MXN', 'TOO_LARGE'],
    ['9007199254740993.01', 'MXN', 'TOO_LARGE'],
    ['999999999999.99999', 'CLF', 'LOSES_DIGITS'],
    ['0.10000000000000000001', 'MXN', 'LOSES_DIGITS'],
    [`1.${'1'.repeat(100)}`, 'MXN', 'LOSES_DIGITS'],
    ['1'.repeat(100), 'MXN', 'LOSES_DIGITS'],
    ['0', 'MXN', 'NOT_POSITIVE'],
    ['-0', 'MXN', 'NOT_POSITIVE'],
    ['-1', 'MXN', 'NOT_POSITIVE'],
    ['0.001', 'MXN', 'TOO_MANY_DECIMALS'],
    ['1.5', 'JPY', 'TOO_MANY_DECIMALS'],
    ['NaN', 'MXN', 'NOT_A_NUMBER'],
    ['Infinity', 'MXN', 'NOT_A_NUMBER'],
    ['0x10', 'MXN', 'NOT_A_NUMBER'],
    ['01', 'MXN', 'NOT_A_NUMBER'],
    ['', 'MXN', 'NOT_A_NUMBER'],
  ])('rejects %s %s: %s', (text, currency, issue) => {
    expect(readAmount(text, currency)).toEqual({ ok: false, issue });
  });
});

test('isChargeable leaves out nothing, and what is too much', () => {
  expect(['0', '0.00', '0.01', '999999999999.99', String(AMOUNT_LIMIT)].map(isChargeable)).toEqual([
    false,
    false,
    true,
    true,
    false,
  ]);
});

test('isWithin includes its bounds and compares as decimals', () => {
  expect(isWithin('10', { min: '10', max: '50000' })).toBe(true);
  expect(isWithin('9.99', { min: '10' })).toBe(false);
  expect(isWithin('50000.01', { max: '50000' })).toBe(false);
  expect(isWithin('0.3', { min: '0.1', max: '0.30' })).toBe(true);
  expect(isWithin('1', {})).toBe(true);
});
