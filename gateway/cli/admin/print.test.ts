import { expect, test } from '@jest/globals';
import { printAnswer } from './print.ts';

const HOSTILE = { name: '\u001b]0;owned\u0007\n  status           ok', url: 'https://a.test/\u009b31m' };

test('values of an answer are one line each, with control characters escaped', () => {
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

test('JSON of an answer has the same values, with control characters escaped', () => {
  const text = printAnswer({ rows: [HOSTILE] }, true);
  expect(text).not.toMatch(/[^\n\P{Cc}]/u);
  expect(JSON.parse(text)).toEqual([HOSTILE]);
});
