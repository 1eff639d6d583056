import { describe, expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { JsonObjectScalar } from './json-object.ts';

const REFUSED = 'The value is not a JSONObject.';
const TOO_LONG = 'A number in the JSONObject has too many digits: send it as a string.';
const literal = (text: string) => JsonObjectScalar.parseLiteral(parseValue(text), {});
const variable = (text: string) => JsonObjectScalar.parseValue(JSON.parse(text));

describe('an object of any shape', () => {
  test.each(['1', '-0.5', '0.1', '0.30000000000000004', '9007199254740991', '19.4326077', '1e20'])(
    'keeps the number %s',
    (number) => {
      expect(variable(`{"a":[{"b":${number}}]}`)).toEqual({ a: [{ b: Number(number) }] });
    },
  );

  test.each(['12345678901234567890', '-12345678901234567890', '9007199254740993', '1e400'])(
    'is refused for %s, of which a double has not all digits',
    (number) => {
      expect(() => variable(`{"a":[{"b":${number}}]}`)).toThrow(TOO_LONG);
      expect(() => literal(`{a: [{b: ${number}}]}`)).toThrow(TOO_LONG);
    },
  );

  test('is refused for a fraction in the document that a double does not carry', () => {
    expect(() => literal('{a: 0.12345678901234567890}')).toThrow(TOO_LONG);
    expect(literal('{a: 1.10, b: null}')).toEqual({ a: 1.1, b: null });
  });

  test('is refused for such a number of a variable within a literal', () => {
    const node = parseValue('{a: [$id]}');
    expect(JsonObjectScalar.parseLiteral(node, { id: 5 })).toEqual({ a: [5] });
    expect(() => JsonObjectScalar.parseLiteral(node, { id: 2 ** 63 })).toThrow(TOO_LONG);
  });

  test('is written with any number that is stored', () => {
    expect(JsonObjectScalar.serialize({ a: 1e30 })).toEqual({ a: 1e30 });
  });

  test.each(['[]', '1', '"a"', 'null'])('is not %s', (text) => {
    expect(() => variable(text)).toThrow(REFUSED);
    expect(() => literal(text)).toThrow(REFUSED);
  });
});
