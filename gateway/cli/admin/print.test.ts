import { expect, test } from '@jest/globals';
import { printAnswer } from './print.ts';

const HOSTILE = { name: '\u001b]0;owned\u0007\n  status           ok', url: 'https://a.test/\u009b31m' };

test('values of an answer are one line each, and a terminal does not act on them', () => {
  expect(printAnswer({ rows: [HOSTILE], note: 'Found.', next: ['go on'] }, false)).toBe(
    [
      'Found.',
      '',
      '  name             \\u001b]0;owned\\u0007\\u000a  status           ok',
      '  url              https://a.test/\\u009b31m',
      '',
      'Next:',
      '  go on',
      '',
    ].join('\n'),
  );
});

test('JSON of an answer has the same values, and nothing that a terminal acts on', () => {
  const text = printAnswer({ rows: [HOSTILE] }, true);
  expect(text).not.toMatch(/[^\n\P{Cc}]/u);
  expect(JSON.parse(text)).toEqual([HOSTILE]);
});
