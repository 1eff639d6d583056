import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { MOST_LEVELS, MOST_VALUES, parseJson } from './parse-json.ts';
import { bodyError } from './schemas.ts';

const body = z.object({ a: z.unknown() }, bodyError);
const messagesOf = (text: string) =>
  body.safeParse(parseJson(text)).error?.issues.map(({ message }) => message) ?? [];
const TOO_COMPLEX = ['must have at most 20000 values and 256 levels'];

describe('parseJson', () => {
  test.each(['{', '{"a":1', 'nul', '{"a":01}', '"', '"\\', '\ufffd', '{"a":1}x'])(
    'knows that %p is not JSON',
    (text) => {
      expect(typeof parseJson(text)).toBe('symbol');
      expect(messagesOf(text)).toEqual(['must be JSON, in UTF-8']);
    },
  );

  test.each(['', '[]', '"a"', 'null', 'true'])('knows that %p is no object', (text) => {
    expect(messagesOf(text)).toEqual(['must be a JSON object']);
  });

  test.each([
    ['{"a":1,"a":2}', 'the key "a"'],
    ['{"a":1,"a":1}', 'the key "a"'],
    ['{"a":{"b":1,"c":2,"b":3}}', 'the key "b"'],
    ['{"a":[{},{"b":1,"b":[]}]}', 'the key "b"'],
    ['{"a":{"x":1},"b":2,"a":3}', 'the key "a"'],
    ['{"a":["x",{"y":"a"}],"\\u0061":2}', 'the key "a"'],
    ['{ "a" : 1 , "b" : {"a":1} , "a" : 2 }', 'the key "a"'],
    ['{"":1,"":2}', 'a key'],
    ['{"4111111111111111":1,"4111111111111111":2}', 'a key'],
    ['{"+525512345678":1,"+525512345678":2}', 'a key'],
    ['{"ana@example.com":1,"ana@example.com":2}', 'a key'],
    [`{"${'x'.repeat(65)}":1,"${'x'.repeat(65)}":2}`, 'a key'],
    ['{"a\\u001b":1,"a\\u001b":2}', 'a key'],
    ['{"__proto__":1,"__proto__":2}', 'the key "__proto__"'],
  ])('rejects %s', (text, key) => {
    expect(messagesOf(text)).toEqual([`has ${key} more than once in an object`]);
  });

  test.each([
    '{"a":{"a":{"a":1}},"b":{"a":1}}',
    '{"a":[{"b":1},{"b":1}]}',
    '{"a":"a","b":"a","c":["a","a","a"]}',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":1,"A":2,"a ":3}',
    '{"a":[[],[],{},{}]}',
  ])('takes %s', (text) => {
    expect(messagesOf(text)).toEqual([]);
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

  test('rejects a text that never closes, at any depth', () => {
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
    expect(parseJson(JSON.stringify({ a: text }))).toEqual({ a: text });
  });
});
