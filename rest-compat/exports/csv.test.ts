import { expect, test } from '@jest/globals';
import { csvRecord } from './csv.ts';

test.each<[string, string | null | undefined, string]>([
  ['plain text', 'Ana Ruiz', 'Ana Ruiz'],
  ['nothing', null, ''],
  ['what is absent', undefined, ''],
  ['a comma', 'Ruiz, Ana', '"Ruiz, Ana"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['lines', 'a\r\nb', '"a\r\nb"'],
  ['a formula', '=1+1', "'=1+1"],
  ['a formula with quotes', '=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
  ['a plus', '+52551', "'+52551"],
  ['a minus', '-2+3', "'-2+3"],
  ['an at sign', '@SUM(A1)', "'@SUM(A1)"],
  ['a tab', '\t=1', "'\t=1"],
  ['a carriage return', '\r=1', '"\'\r=1"'],
  ['a sign within', 'a=1', 'a=1'],
  ['letters of other alphabets', 'Łódź 東京', 'Łódź 東京'],
])('a cell holds %s', (_name, cell, text) => {
  expect(csvRecord([cell])).toBe(`${text}\r\n`);
});

test('cells are separated by commas', () => {
  expect(csvRecord(['a', null, 'b'])).toBe('a,,b\r\n');
});
