import { describe, expect, test } from '@jest/globals';
import { parseJson } from '../../kernel/json/parse-json.ts';
import { readCancel } from './cancel-request-money.ts';

const read = (text: string) => readCancel(parseJson(text));

describe('The body of a cancel', () => {
  test.each([
    ['no property', '{}', undefined],
    ['a property that it does not know', '{"status":"completed","__proto__":{"reason":"x"}}', undefined],
    ['an empty reason', '{"reason":""}', undefined],
    ['a reason that shows nothing', '{"reason":" \\u200b\\n"}', undefined],
    ['a reason', '{"reason":"The order was returned"}', 'The order was returned'],
    ['a reason of two lines', '{"reason":"Returned\\nby Ana"}', 'Returned\nby Ana'],
    ['a reason of 200 characters', `{"reason":"${'\u{1f6d1}'.repeat(200)}"}`, '\u{1f6d1}'.repeat(200)],
    ['a reason with a card number', '{"reason":"Card 4111-1111 1111.1111"}', 'Card …1111'],
  ])('may have %s', (_name, text, reason) => {
    expect(read(text)).toEqual({ ok: true, value: { reason } });
  });

  test.each([
    ['a list', '[]', [], 'must be a JSON object'],
    ['null', 'null', [], 'must be a JSON object'],
    ['a number', '1', [], 'must be a JSON object'],
    ['a text', '"reason"', [], 'must be a JSON object'],
    ['a reason that is a number', '{"reason":1}', ['reason'], 'must be a string'],
    ['a reason that is null', '{"reason":null}', ['reason'], 'must be a string'],
    ['a reason that is a list', '{"reason":["x"]}', ['reason'], 'must be a string'],
    [
      'a reason of 201 characters',
      `{"reason":"${'a'.repeat(201)}"}`,
      ['reason'],
      'must have at most 200 characters',
    ],
    ['a NUL', '{"reason":"a\\u0000"}', ['reason'], 'must not have control characters'],
    ['an escape character', '{"reason":"\\u001b[2J"}', ['reason'], 'must not have control characters'],
    ['half a character', '{"reason":"\\ud83d"}', ['reason'], 'must be well-formed Unicode'],
  ])('must not be or have %s', (_name, text, path, message) => {
    expect(read(text)).toEqual({ ok: false, failures: [{ code: 'VALIDATION_FAILED', path, message }] });
  });

  test('must be JSON', () => {
    expect(read('{')).toMatchObject({ failures: [{ code: 'VALIDATION_FAILED', path: [] }] });
  });
});
