import { describe, expect, test } from '@jest/globals';
import { toName } from '../../subgraphs/graph/text-enum.ts';
import { canMove, OPERATION_STATUSES } from '../../subgraphs/operations/lifecycle.ts';
import { MONEY_REQUEST_STATES, MONEY_REQUEST_STATUSES } from '../../subgraphs/request-money/lifecycle.ts';
import { en } from './language/en.ts';
import { canOpen, identityEvents, moneyRequestEvents, OPERATION_MOVES } from './simulations.ts';

describe('The console', () => {
  test('simulates exactly the moves of an operation that the table allows', () => {
    for (const from of OPERATION_STATUSES) {
      const allowed = OPERATION_STATUSES.filter((to) => canMove(from, to)).map(toName);
      const offered: readonly string[] = Object.entries(OPERATION_MOVES).find(
        ([status]) => status === toName(from),
      )![1];
      expect([from, offered.toSorted()]).toEqual([from, allowed.toSorted()]);
    }
  });

  test.each(MONEY_REQUEST_STATUSES)('offers only events that a money request allows: %s', (status) => {
    const name = status.toUpperCase() as Parameters<typeof moneyRequestEvents>[0];
    const offered = moneyRequestEvents(name, en.simulate).map(([, change]) => change.status.toLowerCase());
    const { next } = MONEY_REQUEST_STATES[status];
    expect(offered.filter((one) => !next.some((allowed) => allowed === one))).toEqual([]);
    expect(offered.length > 0).toBe(next.length > 0);
  });

  test('offers the other results of an identity check, and to open a new link until it expires', () => {
    expect(identityEvents('VERIFIED', en.simulate).map(([, status]) => status)).toEqual([
      'FAILED',
      'PENDING',
    ]);
    const expiresAt = '2026-11-26T10:00:00.000Z';
    const at = Date.parse(expiresAt);
    expect(canOpen({ status: 'CREATED', expiresAt }, at - 1)).toBe(true);
    expect(canOpen({ status: 'CREATED', expiresAt }, at)).toBe(false);
    expect(canOpen({ status: 'OPENED', expiresAt }, at - 1)).toBe(false);
  });
});
