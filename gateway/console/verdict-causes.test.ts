import { expect, test } from '@jest/globals';
import { mayChange } from './verdict-causes.ts';

const AT = '2026-11-21T08:00:00.000Z';

test.each([
  ['WAITING_FOR_PAYER', AT, true],
  ['UNANSWERED', null, true],
  ['COMPLETED', null, false],
  ['EXPIRED', null, false],
  ['PAYER_MAY_HAVE_BEEN_ASKED', AT, true],
] as const)('the verdict %s with the time %s may change: %s', (cause, actBy, expected) => {
  expect(mayChange({ cause, actBy })).toBe(expected);
});
