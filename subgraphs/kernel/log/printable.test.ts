import { expect, test } from '@jest/globals';
import { printable, printableLines } from './printable.ts';

test.each([
  ['an escape sequence', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['a C1 control', 'a\u009b31m', 'a\\u009b31m'],
  ['NUL and DEL', '\u0000\u007f', '\\u0000\\u007f'],
  ['a line that is not there', 'ok\r\nFAILURE', 'ok\\u000d\\u000aFAILURE'],
  ['a turned text', 'abc\u202egnp.exe', 'abc\\u202egnp.exe'],
  ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
  ['plain text of any alphabet', 'Łódź 東京 👩‍👧 “a”', 'Łódź 東京 👩‍👧 “a”'],
])('%s is shown, and not acted on', (_what, text, shown) => {
  expect(printable(text)).toBe(shown);
});

test('lines stay lines, and JSON stays the same JSON', () => {
  const value = { name: 'a\u009b\u202e\u001bb' };
  const shown = printableLines(JSON.stringify(value, null, 2));
  expect(shown).toBe('{\n  "name": "a\\u009b\\u202e\\u001bb"\n}');
  expect(JSON.parse(shown)).toEqual(value);
});
