import { expect, test } from '@jest/globals';
import { foldWebhooks, groupByDay, isOfWebhook } from './timeline-items.ts';

type Entries = Parameters<typeof foldWebhooks>[0];
type Entry = Entries[number];

const phase = (id: string, at: string): Entry => ({
  __typename: 'TimelinePhase',
  id,
  at,
  correlationId: 'c',
  phase: 'CIP',
});
const change = (deliveryId: string, at: string, webhookStatus: 'PENDING' | 'DELIVERED'): Entry => ({
  __typename: 'TimelineWebhook',
  id: `${deliveryId} ${at}`,
  at,
  deliveryId,
  event: 'operation_created',
  webhookStatus,
  errorClass: null,
});
const attempt = (deliveryId: string, at: string, number: number): Entry => ({
  __typename: 'TimelineWebhookAttempt',
  id: `${deliveryId} attempt ${number}`,
  at,
  deliveryId,
  attemptEvent: 'operation_created',
  number,
  ms: 5,
  statusCode: 503,
  errorClass: 'http_status',
  nextAttemptAt: null,
});

test('A webhook is one item in the place of its first entry, with its newest status and all attempts', () => {
  const items = foldWebhooks([
    phase('p1', '2026-11-01T10:00:00.000Z'),
    change('w', '2026-11-01T10:00:01.000Z', 'PENDING'),
    attempt('w', '2026-11-01T10:00:02.000Z', 1),
    phase('p2', '2026-11-01T10:00:03.000Z'),
    attempt('w', '2026-11-01T10:00:04.000Z', 2),
    change('w', '2026-11-01T10:00:05.000Z', 'DELIVERED'),
  ]);
  expect(items.map(({ kind, id, at }) => [kind, id, at.slice(17, 19)])).toEqual([
    ['entry', 'p1', '00'],
    ['webhook', 'w', '01'],
    ['entry', 'p2', '03'],
  ]);
  expect(items[1]).toMatchObject({
    change: { webhookStatus: 'DELIVERED' },
    attempts: [{ number: 1 }, { number: 2 }],
  });
});

test('A request comes before what happened in the same instant because of it, and nothing else moves', () => {
  const at = '2026-11-01T10:00:01.000Z';
  const request: Entry = {
    __typename: 'TimelineRequest',
    id: 'r',
    at,
    requestId: 'r',
    surface: 'PARTNER',
    method: 'POST',
    path: '/v1/request-money',
    operation: null,
    requestStatus: 201,
    requestCode: null,
    ms: 5,
  };
  const items = foldWebhooks([
    phase('p1', '2026-11-01T10:00:00.000Z'),
    phase('p2', at),
    change('w', at, 'PENDING'),
    request,
    phase('p3', '2026-11-01T10:00:02.000Z'),
  ]);
  expect(items.map(({ id }) => id)).toEqual(['p1', 'r', 'p2', 'w', 'p3']);
});

test('An attempt of a webhook that is no longer stored is an item without a status', () => {
  expect(foldWebhooks([attempt('w', '2026-11-01T10:00:02.000Z', 3)])).toMatchObject([
    { kind: 'webhook', change: undefined, attempts: [{ number: 3 }] },
  ]);
});

test('Items are grouped by the day of the zone, in their order', () => {
  const items = foldWebhooks([
    phase('a', '2026-11-01T23:59:59.999Z'),
    phase('b', '2026-11-02T00:00:00.000Z'),
    phase('c', '2026-11-02T12:00:00.000Z'),
  ]);
  const days = groupByDay(items, 'utc').map((day) => [day.at.slice(0, 10), day.items.map(({ id }) => id)]);
  expect(days).toEqual([
    ['2026-11-01', ['a']],
    ['2026-11-02', ['b', 'c']],
  ]);
  const local = groupByDay(items, 'local').map((day) => new Date(day.at).toDateString());
  expect(new Set(local).size).toBe(local.length);
});

test.each([
  ['operation_created', true],
  ['request_money.created', true],
  ['CIP', false],
  ['REQUEST_MONEY', false],
  ['READY_FOR_PICKUP', false],
])('A problem at the step %s is one of a webhook: %p', (step, isIt) => {
  expect(isOfWebhook({ step })).toBe(isIt);
});
