import { describe, expect, test } from '@jest/globals';
import { type GraphQLScalarType, parseValue } from 'graphql';
import { LosslessNumber } from 'lossless-json';
import {
  CountryCodeScalar,
  CurrencyCodeScalar,
  DateScalar,
  DateTimeScalar,
  DecimalScalar,
} from './scalars.ts';

describe('scalars', () => {
  test.each<[GraphQLScalarType, unknown, unknown]>([
    [DecimalScalar, '1500.50', '1500.50'],
    [DecimalScalar, 1500.5, '1500.5'],
    [DecimalScalar, '-0.1', '-0.1'],
    [DecimalScalar, -0.00012, '-0.00012'],
    [DecimalScalar, 999_999_999_999.99, '999999999999.99'],
    [DecimalScalar, '123456789012345678901234567890.12', '123456789012345678901234567890.12'],
    [DecimalScalar, '007.50', '7.50'],
    [DecimalScalar, '-00.5', '-0.5'],
    [DecimalScalar, '000', '0'],
    [CurrencyCodeScalar, 'MXN', 'MXN'],
    [CountryCodeScalar, 'MX', 'MX'],
    [DateScalar, '2024-02-29', '2024-02-29'],
    [DateTimeScalar, '2026-11-21T08:00:00.000Z', new Date('2026-11-21T08:00:00.000Z')],
    [DateTimeScalar, '2026-11-21T09:00:00+01:00', new Date('2026-11-21T08:00:00.000Z')],
  ])('%s reads %p', (scalar, given, read) => {
    expect(scalar.parseValue(given)).toEqual(read);
  });

  test.each<[GraphQLScalarType, unknown]>([
    [DecimalScalar, '1e3'],
    [DecimalScalar, 0.1 + 0.2],
    [DecimalScalar, 1e29],
    [DecimalScalar, 1e-7],
    [DecimalScalar, Number('12345678901234567')],
    [DecimalScalar, '1'.repeat(101)],
    [DecimalScalar, ' 1'],
    [DecimalScalar, true],
    [CurrencyCodeScalar, 'mxn'],
    [CountryCodeScalar, 'UK'],
    [DateScalar, '2025-02-29'],
    [DateScalar, '21-11-2026'],
    [DateTimeScalar, '2026-11-21'],
    [DateTimeScalar, '2026-02-30T00:00:00Z'],
    [DateTimeScalar, 1_795_248_000],
  ])('%s rejects %p', (scalar, given) => {
    expect(() => scalar.parseValue(given)).toThrow(`The value is not a ${scalar.name}.`);
  });

  test.each(['007', '-0.50', '00', `0${'9'.repeat(98)}`])(
    'a JSON number can hold the Decimal %p',
    (given) => {
      const read = DecimalScalar.parseValue(given);
      expect(Number(new LosslessNumber(read).toString())).toBe(Number(given));
    },
  );

  test('literals keep the digits that were written', () => {
    expect(DecimalScalar.parseLiteral(parseValue('10.10'), {})).toBe('10.10');
    expect(DecimalScalar.parseLiteral(parseValue('123456789012345678901234567890'), {})).toBe(
      '123456789012345678901234567890',
    );
    expect(() => DecimalScalar.parseLiteral(parseValue('1e3'), {})).toThrow('is not a Decimal');
    expect(() => DateTimeScalar.parseLiteral(parseValue('5'), {})).toThrow('is not a DateTime');
  });

  test('times are written in UTC with milliseconds', () => {
    expect(DateTimeScalar.serialize(new Date(1_795_248_000_000))).toBe('2026-11-21T08:00:00.000Z');
  });
});
