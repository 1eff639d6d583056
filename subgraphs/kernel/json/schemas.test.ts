import { describe, expect, test } from '@jest/globals';
import { parseJson } from './parse-json.ts';
import { lifeMinutes, wholeNumber } from './schemas.ts';

describe('wholeNumber', () => {
  const read = (text: string) => wholeNumber(3600).safeParse(parseJson(text));

  test.each([
    ['1', 1],
    ['60.0', 60],
    ['1e3', 1000],
    ['36000e-1', 3600],
    [`1.${'0'.repeat(100)}`, 1],
  ])('takes %s', (text, value) => {
    expect(read(text)).toEqual({ success: true, data: value });
  });

  test.each([
    ['1.5', 'must be a whole number'],
    ['1.00000000000000000001', 'must be a whole number'],
    ['3600.0000000000001', 'must be a whole number'],
    ['0.99999999999999999999', 'must be a whole number'],
    ['1e-400', 'must be a whole number'],
    ['1e400', 'must be a whole number'],
    ['1e99999999999999999999', 'must be a whole number'],
    ['0', 'must be at least 1'],
    ['-0', 'must be at least 1'],
    ['3601', 'must be at most 3600'],
    ['"60"', 'must be a number'],
    ['null', 'must be a number'],
  ])('rejects %s: %s', (text, message) => {
    expect(read(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

test('lifeMinutes ends after 30 days, to the last digit', () => {
  const isLife = (text: string) => lifeMinutes.safeParse(parseJson(text)).success;
  expect(['43200', '43200.0', '43200.00000000001', '43201'].map(isLife)).toEqual([true, true, false, false]);
});
