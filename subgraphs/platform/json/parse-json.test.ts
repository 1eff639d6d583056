import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { MOST_LEVELS, MOST_VALUES, parseJson } from './parse-json.ts';
import { bodyError } from './schemas.ts';

const body = z.object({ a: z.unknown() }, bodyError);
const messagesOf = (text: string) =>
  body.safeParse(parseJson(text)?.value).error?.issues.map(({ message }) => message) ?? [];
const TOO_COMPLEX = ['must have at most 20000 values and 256 levels'];

describe('parseJson', () => {
  test.each(['', '{', '{"a":1', 'nul', '{"a":01}', '"', '"\\'])('knows that %p is not JSON', (text) => {
    expect(parseJson(text)).toBeUndefined();
    expect(messagesOf(text)).toEqual(['must be a JSON object']);
  });

  test.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('takes 256 levels of %s, and no more', (open, close) => {
    const nested = (levels: number) => `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`;
    expect(messagesOf(nested(MOST_LEVELS))).toEqual([]);
    expect(messagesOf(nested(MOST_LEVELS + 1))).toEqual(TOO_COMPLEX);
    expect(messagesOf(nested(300_000))).toEqual(TOO_COMPLEX);
  });

  test('does not read what never closes, however deep it is', () => {
    expect(messagesOf('['.repeat(500_000))).toEqual(TOO_COMPLEX);
  });

  test('takes 20,000 values, and no more', () => {
    // The object, the list and its members.
    const list = (members: number) => `{"a":[${Array(members).fill('1').join(',')}]}`;
    expect(messagesOf(list(MOST_VALUES - 2))).toEqual([]);
    expect(messagesOf(list(MOST_VALUES - 1))).toEqual(TOO_COMPLEX);
    expect(messagesOf(`[${'1,'.repeat(500_000)}1]`)).toEqual(TOO_COMPLEX);
  });

  test('counts no commas and brackets within texts', () => {
    const text = `\\"${'[{,'.repeat(MOST_VALUES)}`;
    expect(messagesOf(JSON.stringify({ a: text }))).toEqual([]);
    expect(parseJson(JSON.stringify({ a: text }))).toEqual({ value: { a: text } });
  });
});
