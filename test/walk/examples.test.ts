import { expect, test } from '@jest/globals';
import { commandsOf, differences, readExamples } from './examples.ts';

test('examples are read with the answers behind them', () => {
  const text = 'Words\n```sh\nnpm ci\n```\n```json\n{"a":1}\n```\n\n```ts page\nx\n```\n';
  expect(readExamples(text)).toEqual([
    { language: 'sh', text: 'npm ci\n', answer: { a: 1 } },
    { language: 'ts', text: 'x\n', answer: undefined },
  ]);
});

test('commands go on where a quote is open or a line ends with a backslash, and not for an apostrophe in a comment', () => {
  const script =
    "npm ci\n\n# all\ncurl x -d '{\n  \"a\": 1\n}'\ncurl \\\n  y\nnpm test   # the server's\nls\n";
  expect(commandsOf(script)).toEqual([
    'npm ci',
    'curl x -d \'{\n  "a": 1\n}\'',
    'curl \\\n  y',
    "npm test   # the server's",
    'ls',
  ]);
});

test('answers differ in names, kinds and values, but not in what each server makes itself', () => {
  const printed = {
    link: 'https://w.test/fund/qSp71V6lzUhJKNipCNmTLk',
    at: '2026-11-23T15:00:02.529Z',
    list: [1],
  };
  const same = {
    link: 'https://w.test/fund/AAAAAAAAAAAAAAAAAAAAAA',
    at: '2027-01-01T00:00:00.000Z',
    list: [1],
  };
  expect(differences(printed, same)).toEqual([]);
  expect(differences(printed, { ...same, at: 'now', list: [1, 2], more: null })).toEqual([
    '$.at: printed "2026-11-23T15:00:02.529Z", got "now"',
    '$.list.1: printed nothing, got 2',
    '$.more: printed nothing, got null',
  ]);
});
