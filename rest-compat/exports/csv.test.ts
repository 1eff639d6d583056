import { expect, test } from '@jest/globals';
import { csvRecord } from './csv.ts';

test.each<[string, string | null | undefined, string]>([
  ['plain text', 'Ana Ruiz', 'Ana Ruiz'],
  ['null', null, ''],
  ['undefined', undefined, ''],
  ['a comma', 'Ruiz, Ana', 'Ruiz, Ana'],
  ['a quote', 'a "b"', 'a ""b""'],
  ['lines', 'a\r\nb', 'a\r\nb'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=HYPERLINK("http://x","y")', '\'=HYPERLINK(""http://x"",""y"")'],
  ['a plus', '+52551', "'+52551"],
  ['a minus', '-2+3', "'-2+3"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['full-width signs', '＝1,＋1;－1\t＠1', "'＝1,'＋1;'－1\t'＠1"],
  ['a formula behind a semicolon', "x;=cmd|'/C calc'!A1;y", "x;'=cmd|'/C calc'!A1;y"],
  ['a formula behind a comma', 'x,@y', "x,'@y"],
  ['a formula behind a tab', '\t=1', "\t'=1"],
  ['formulas behind line ends', 'a\r=1\n=2\r\n-3', "a\r'=1\n'=2\r\n'-3"],
  ['a formula behind spaces', '  =1; +2', "'  =1;' +2"],
  ['formulas behind quotes', 'x;"=1;y\t" ""@2', 'x;\'""=1;y\t\'"" """"@2'],
  ['a quote before a sign behind a comma, as in JSON', '["-1","+2"]', '[""-1"",""+2""]'],
  ['a formula behind control characters', '\u0000=1;\u007f@2', "'=1;'@2"],
  ['control characters', 'a\u0000b\u001b[31mc\u009bd', 'ab[31mcd'],
  ['a sign within a word', 'a=1 b-2', 'a=1 b-2'],
  ['letters of other alphabets', 'Łódź 東京', 'Łódź 東京'],
])('a cell with %s is quoted and harmless', (_name, cell, text) => {
  expect(csvRecord([cell])).toBe(`"${text}"\r\n`);
});

test('cells are separated by commas', () => {
  expect(csvRecord(['a', null, 'b'])).toBe('"a","","b"\r\n');
});
