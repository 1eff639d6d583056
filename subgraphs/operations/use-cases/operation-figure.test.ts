import { expect, test } from '@jest/globals';
import { OPEN_STATUSES, OPERATION_STATUSES, type OperationStatus } from '../lifecycle.ts';
import { figureOfMove } from './operation-figure.ts';

const OPERATION = {
  ...{ recipientAmount: '1500.50', recipientCurrency: 'MXN', sourceCountry: 'US', destinationCountry: 'MX' },
  createdAt: new Date('2026-11-21T08:00:00.000Z'),
  updatedAt: new Date('2026-11-21T08:01:30.000Z'),
};
const ALWAYS = {
  createdAt: OPERATION.createdAt,
  money: { amount: '1500.50', currency: 'MXN' },
  corridor: 'US-MX',
};

test.each<[OperationStatus | null, OperationStatus, object]>([
  [null, 'Sent', {}],
  ['Sent', 'Funding', {}],
  ['InTransit', 'Completed', { outcome: 'completed', ms: 90_000 }],
  ['Sent', 'Cancelled', { outcome: 'cancelled' }],
  ['Accepted', 'Rejected', { outcome: 'failed', cause: 'notPaid' }],
  ['Funding', 'Failed', { outcome: 'failed', cause: 'payment' }],
  ['ReadyForPickup', 'Failed', { outcome: 'failed', cause: 'payout' }],
  ['OnHold', 'Rejected', { outcome: 'failed', cause: 'review' }],
])('of a move from %s to %s the figures count %j', (from, to, expected) => {
  expect(figureOfMove(OPERATION, { from, to })).toEqual({ ...ALWAYS, ...expected });
});

test('every status either ends an operation in the figures or is open', () => {
  const ends = OPERATION_STATUSES.filter((to) => figureOfMove(OPERATION, { from: 'Sent', to }).outcome);
  expect([...ends, ...OPEN_STATUSES].toSorted()).toEqual(OPERATION_STATUSES.toSorted());
});
