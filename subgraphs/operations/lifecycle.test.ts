import { describe, expect, test } from '@jest/globals';
import { canMove, OPERATION_STATUSES, type OperationStatus, pathTo } from './lifecycle.ts';

/** Decisions, section 2, "Operation transitions", written out again from the document. */
const ALLOWED: Record<string, string> = {
  Sent: 'Funding Accepted Rejected Cancelled OnHold',
  Funding: 'Funded Failed Cancelled OnHold',
  Accepted: 'Funding Funded Rejected Cancelled OnHold',
  Funded: 'InTransit ReadyForPickup Completed Failed OnHold',
  InTransit: 'ReadyForPickup Completed Failed OnHold',
  ReadyForPickup: 'Completed Failed Cancelled',
  OnHold: 'Rejected Failed Cancelled',
};

describe('canMove', () => {
  test.each(OPERATION_STATUSES.flatMap((from) => OPERATION_STATUSES.map((to) => [from, to] as const)))(
    '%s to %s',
    (from, to) => {
      expect(canMove(from, to)).toBe((ALLOWED[from] ?? '').split(' ').includes(to));
    },
  );

  test('an operation on hold may go back to where it came from, and only there', () => {
    expect(canMove('OnHold', 'Funding', 'Funding')).toBe(true);
    expect(canMove('OnHold', 'Funded', 'Funding')).toBe(false);
  });
});

describe('pathTo', () => {
  test.each<[OperationStatus, OperationStatus, OperationStatus[] | undefined]>([
    ['Funding', 'Completed', ['Funded', 'Completed']],
    ['Funding', 'Funding', []],
    ['Funding', 'Failed', ['Failed']],
    ['Sent', 'Completed', ['Funding', 'Funded', 'Completed']],
    ['Completed', 'Failed', undefined],
  ])('%s to %s', (from, to, path) => {
    expect(pathTo(from, to)).toEqual(path);
  });
});
