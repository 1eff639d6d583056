import { expect, test } from '@jest/globals';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { NewEvent } from '../runtime/events/index.ts';
import { appendDeliveryEvents, type DeliveryChange } from './delivery-events.ts';

const CREATED = new Date('2026-11-21T08:00:00.000Z');
const later = (ms: number) => new Date(CREATED.getTime() + ms);
const change = (changes: Partial<DeliveryChange>): DeliveryChange => ({
  ...{ deliveryId: 'd1', accountId: 'acme/sandbox', event: 'test', attempt: 1, createdAt: CREATED },
  ...{ previousStatus: 'PENDING', status: 'DELIVERED', version: 2, occurredAt: later(1_500) },
  ...changes,
});

function figuresOf(...changes: readonly DeliveryChange[]) {
  const appended: NewEvent[] = [];
  // The unit is passed on only.
  appendDeliveryEvents({ append: (events) => void appended.push(...events) }, changes, {} as UnitOfWork);
  return appended.map(({ figure }) => figure);
}

test('figures count a webhook at the time of its creation', () => {
  const created = change({ previousStatus: null, status: 'PENDING', version: 1, occurredAt: CREATED });
  const deadLetter = change({ status: 'DEAD_LETTERED', errorClass: 'timeout' });
  expect(figuresOf(created, deadLetter)).toEqual([{ createdAt: CREATED }, { createdAt: CREATED }]);
});

test('figures have the time to the first delivery, not to one that is sent again', () => {
  const again = change({ version: 4, occurredAt: later(9_000_000) });
  expect(figuresOf(change({}), again)).toEqual([{ createdAt: CREATED, ms: 1_500 }, { createdAt: CREATED }]);
});

test('figures count no failed attempt with a retry ahead', () => {
  expect(figuresOf(change({ status: 'PENDING', version: 1 }))).toEqual([]);
});
