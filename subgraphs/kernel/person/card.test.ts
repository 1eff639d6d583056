import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isCardNumber, isCurrentExpiry, lastFour, toCardDigits } from './card.ts';

describe('card numbers', () => {
  test.each([
    '4111111111111111',
    '5555555555554444',
    '378282246310005',
    '6011111111111117',
    '30569309025904',
    '4000000000000002',
    '6304000000000000000',
  ])('%s ends in its check digit', (digits) => {
    expect(isCardNumber(digits)).toBe(true);
  });

  test.each([
    ['a wrong check digit', '4111111111111112'],
    ['two digits that changed places', '5555555555545444'],
    ['11 digits', '42424242424'],
    ['20 digits', '42424242424242424242'],
    ...[12, 16, 19].flatMap((length) =>
      [...'0123456789'].map((digit): [string, string] => [`${length} times ${digit}`, digit.repeat(length)]),
    ),
    ['nothing', ''],
    ['spaces', '4111 1111 1111 1111'],
    ['letters', '411111111111111a'],
    ['digits of another script', '٤١١١١١١١١١١١١١١١'],
    ['a line break behind it', '4111111111111111\n'],
  ])('%s is none', (_what, digits) => {
    expect(isCardNumber(digits)).toBe(false);
  });

  test('no other last digit passes', () => {
    const body = fc
      .array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })
      .filter((digits) => new Set(digits).size > 1);
    fc.assert(
      fc.property(body, (digits) => {
        const passing = [...'0123456789'].filter((last) => isCardNumber(digits.join('') + last));
        expect(passing).toHaveLength(1);
      }),
    );
  });

  test('are read without the spaces and dashes that people write', () => {
    expect(toCardDigits('4111 1111-1111 1111')).toBe('4111111111111111');
    expect(lastFour('4111111111111234')).toBe('1234');
  });
});

describe('MMYY', () => {
  const at = (time: string) => new Date(time);

  test.each([
    ['the month that runs', '1126', '2026-11-21T08:00:00Z', true],
    ['the last millisecond of its month', '1126', '2026-11-30T23:59:59.999Z', true],
    ['the first moment after it', '1126', '2026-12-01T00:00:00.000Z', false],
    ['December, to its end', '1226', '2026-12-31T23:59:59.999Z', true],
    ['December, when the year is over', '1226', '2027-01-01T00:00:00.000Z', false],
    ['February of a leap year, on its last day', '0228', '2028-02-29T23:59:59.999Z', true],
    ['February of a leap year, after it', '0228', '2028-03-01T00:00:00.000Z', false],
    ['the month before', '1026', '2026-11-21T08:00:00Z', false],
    ['the same month a year ago', '1125', '2026-11-21T08:00:00Z', false],
    ['a month of the next year', '0127', '2026-11-21T08:00:00Z', true],
    ['the end of the century', '1299', '2026-11-21T08:00:00Z', true],
    ['the start of the century', '0100', '2026-11-21T08:00:00Z', false],
  ])('%s', (_what, expiry, now, isGood) => {
    expect(isCurrentExpiry(expiry, at(now))).toBe(isGood);
  });

  test.each(['0028', '1328', '9928', '128', '12/28', '12 28', '122028', '', 'ab28', '1228\n', '2812 '])(
    '%j is no month of a year',
    (expiry) => {
      expect(isCurrentExpiry(expiry, at('2026-11-21T08:00:00Z'))).toBe(false);
    },
  );
});
