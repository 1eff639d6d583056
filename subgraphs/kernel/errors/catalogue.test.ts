import { expect, test } from '@jest/globals';
import { statusOf, statusOrInternalError } from './catalogue.ts';

test('a code has the status that its surface documents', () => {
  expect(statusOf('USER_BLOCKED', 'requestMoney')).toBe(403);
  expect(statusOf('PAYLOAD_TOO_LARGE', 'partner')).toBe(413);
});

test('a pair that no document has does not compile, and is an internal error where only the run decides the code', () => {
  // @ts-expect-error: the partner API knows no watch list
  expect(statusOf('OFAC_HIT', 'partner')).toBe(500);
  expect(statusOrInternalError('OFAC_HIT', 'partner')).toBe(500);
});
