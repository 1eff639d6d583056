import { describe, expect, test } from '@jest/globals';
import { classifyMove, MONEY_REQUEST_STATUSES } from './lifecycle.ts';

const ALLOWED: Record<string, string[]> = {
  pending: ['processing', 'completed', 'rejected', 'cancelled'],
  processing: ['completed', 'rejected', 'cancelled'],
};

describe('classifyMove', () => {
  const pairs = MONEY_REQUEST_STATUSES.flatMap((from) =>
    MONEY_REQUEST_STATUSES.filter((to) => to !== from).map((to) => [from, to] as const),
  );

  test.each(pairs)('%s to %s', (from, to) => {
    const expected = ALLOWED[from]?.includes(to) ? 'move' : 'illegal';
    expect(classifyMove({ status: from, statusDetails: 'x' }, { status: to })).toBe(expected);
  });

  test.each(MONEY_REQUEST_STATUSES)('%s again with the same or no details changes nothing', (status) => {
    expect(classifyMove({ status, statusDetails: 'x' }, { status })).toBe('unchanged');
    expect(classifyMove({ status, statusDetails: 'x' }, { status, statusDetails: 'x' })).toBe('unchanged');
  });

  test('other details are taken until the money request is final', () => {
    expect(
      classifyMove(
        { status: 'processing', statusDetails: 'x' },
        { status: 'processing', statusDetails: 'y' },
      ),
    ).toBe('details');
    expect(
      classifyMove({ status: 'completed', statusDetails: 'x' }, { status: 'completed', statusDetails: 'y' }),
    ).toBe('illegal');
  });
});
