import { expect, test } from '@jest/globals';
import { LONGEST_RETRY_AFTER_MS, readRetryAfter } from './retry-after.ts';

const NOW = Date.parse('2026-11-23T10:00:00Z');

test.each([
  ['120', 120_000],
  [' 7 ', 7_000],
  ['Mon, 23 Nov 2026 10:05:00 GMT', 300_000],
  ['43200', LONGEST_RETRY_AFTER_MS],
  ['43201', LONGEST_RETRY_AFTER_MS],
  ['9999999999', LONGEST_RETRY_AFTER_MS],
  ['Wed, 23 Nov 2033 10:05:00 GMT', LONGEST_RETRY_AFTER_MS],
  ['Monday, 23-Nov-26 10:05:00 GMT', 300_000],
  ['Thursday, 23-Nov-73 10:05:00 GMT', LONGEST_RETRY_AFTER_MS],
  ['Mon Nov 23 10:05:00 2026', 300_000],
  ['Tue Dec  1 10:05:00 2026', LONGEST_RETRY_AFTER_MS],
  ['00000000120', 120_000],
  ['99999999999', LONGEST_RETRY_AFTER_MS],
  ['9'.repeat(400), LONGEST_RETRY_AFTER_MS],
])('Retry-After: %s asks to wait %d ms', (value, ms) => {
  expect(readRetryAfter(value, NOW)).toBe(ms);
});

test.each([
  ['nothing', undefined],
  ['an empty one', ''],
  ['no wait', '0'],
  ['a date that is past', 'Mon, 23 Nov 2026 09:59:59 GMT'],
  ['a date that is none', 'Mon, 99 Nov 2026 10:05:00 GMT'],
  ['a negative number', '-5'],
  ['a fraction', '1.5'],
  ['another form of number', '0x10'],
  ['a year of two digits that is past', 'Sunday, 06-Nov-94 08:49:37 GMT'],
  ['a past date of asctime', 'Sun Nov  6 08:49:37 1994'],
  ['a date of another form', '2026-11-23T10:05:00Z'],
  ['several values', '5, 10'],
])('%s asks for nothing', (_what, value) => {
  expect(readRetryAfter(value, NOW)).toBeUndefined();
});
