import { describe, expect, test } from '@jest/globals';
import {
  canMove,
  classifyMove,
  type MoveKind,
  OPERATION_STATUSES,
  type OperationStatus,
  pathTo,
  transitionsToMatch,
} from './lifecycle.ts';

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

const PAIRS = OPERATION_STATUSES.flatMap((from) => OPERATION_STATUSES.map((to) => [from, to] as const));

describe('canMove', () => {
  test.each(PAIRS)('%s to %s', (from, to) => {
    expect(canMove(from, to)).toBe((ALLOWED[from] ?? '').split(' ').includes(to));
  });

  test.each(PAIRS)('from OnHold, held from %s, to %s: back, or to an end', (heldFrom, to) => {
    const ends = ['Rejected', 'Failed', 'Cancelled'];
    expect(canMove('OnHold', to, heldFrom)).toBe(to === heldFrom || ends.includes(to));
  });

  test('only an operation on hold goes back', () => {
    expect(canMove('Funded', 'Funding', 'Funding')).toBe(false);
  });
});

describe('classifyMove', () => {
  test.each<[string, OperationStatus, OperationStatus, string | undefined, MoveKind]>([
    ['a move of the table', 'Sent', 'Funding', 'Any', 'move'],
    ['a move that is not in it', 'Sent', 'Completed', undefined, 'illegal'],
    ['the same again', 'Sent', 'Sent', 'Detail', 'unchanged'],
    ['the same, details left open', 'Completed', 'Completed', undefined, 'unchanged'],
    ['other details', 'Sent', 'Sent', 'Reminded', 'details'],
    ['other details of what is final', 'Completed', 'Completed', 'Again', 'illegal'],
  ])('%s', (_name, status, to, statusDetails, kind) => {
    expect(classifyMove({ status, statusDetails: 'Detail' }, { status: to, statusDetails })).toBe(kind);
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

describe('transitionsToMatch', () => {
  test.each<[OperationStatus, OperationStatus | undefined, OperationStatus, OperationStatus[] | undefined]>([
    ['Funding', undefined, 'Completed', ['Funded', 'Completed']],
    ['ReadyForPickup', undefined, 'Completed', ['Completed']],
    ['OnHold', 'Accepted', 'Completed', ['Accepted', 'Funded', 'Completed']],
    ['OnHold', undefined, 'Completed', ['Completed']],
    ['Funding', undefined, 'Rejected', ['Rejected']],
    ['InTransit', undefined, 'Cancelled', ['Cancelled']],
    ['OnHold', 'Funded', 'Cancelled', ['Cancelled']],
    ['InTransit', undefined, 'Funding', []],
    ['Completed', undefined, 'Completed', []],
    ['Failed', undefined, 'Rejected', []],
    ['Failed', undefined, 'Completed', undefined],
    ['Completed', undefined, 'Rejected', undefined],
    ['Cancelled', undefined, 'Funding', undefined],
  ])('%s, held from %s, to %s', (status, heldFrom, to, way) => {
    const held = heldFrom === undefined ? {} : { heldFrom };
    expect(transitionsToMatch({ status, statusDetails: '', ...held }, to)).toEqual(way);
  });

  test.each(
    OPERATION_STATUSES.filter((status) => !['Completed', 'Failed', 'Rejected', 'Cancelled'].includes(status)),
  )('from %s every end of a money request is reached', (status) => {
    for (const end of ['Completed', 'Rejected', 'Cancelled'] as const) {
      expect(transitionsToMatch({ status, statusDetails: '' }, end)?.at(-1)).toBe(end);
    }
  });
});
