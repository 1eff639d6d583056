import { expect, test } from '@jest/globals';
import { OPEN_STATUSES, OPERATION_STATUSES, type OperationStatus } from '../lifecycle.ts';
import { failureCauseOf } from './operation-failure.ts';
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

test.each<[OperationStatus, object]>([
  ['Sent', {}],
  ['Funding', {}],
  ['Completed', { outcome: 'completed', ms: 90_000 }],
  ['Cancelled', { outcome: 'cancelled' }],
])('of a move to %s the figures count %j', (to, expected) => {
  expect(figureOfMove(OPERATION, to)).toEqual({ ...ALWAYS, ...expected });
});

test('of a failure the figures count the cause, and of the moves before it none', () => {
  const declined = { ...OPERATION, failureCause: 'CARD_DECLINED' as const };
  expect(figureOfMove(declined, 'Failed')).toEqual({ ...ALWAYS, outcome: 'failed', cause: 'CARD_DECLINED' });
  expect(figureOfMove(declined, 'Funding')).toEqual(ALWAYS);
});

test('every status either ends an operation in the figures or is open', () => {
  const ends = OPERATION_STATUSES.filter((to) => figureOfMove(OPERATION, to).outcome);
  expect([...ends, ...OPEN_STATUSES].toSorted()).toEqual(OPERATION_STATUSES.toSorted());
});

test('every failure has a cause, and nothing else has one', () => {
  const having = OPERATION_STATUSES.filter((status) =>
    failureCauseOf({ status, statusDetails: status }, { from: 'Sent' }),
  );
  const failed = OPERATION_STATUSES.filter((to) => figureOfMove(OPERATION, to).outcome === 'failed');
  expect(having).toEqual(failed);
});
