import { describe, expect, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { PARTNER_STATUS_OF } from '../../operations/lifecycle.ts';
import { MONEY_REQUEST_STATUSES } from '../../request-money/lifecycle.ts';
import { durationBucket, type FigureHour } from '../../runtime/events/index.ts';
import { DELIVERY_STATUSES } from '../../webhooks/model.ts';
import { MOST_CORRIDORS, STATUSES_OF, sumByPeriod, sumFigures } from './sum-figures.ts';

const HOUR_MS = 3_600_000;
const decimal = (text: string) => mongo.Decimal128.fromString(text);
const PERIOD = { from: 0, before: 24 * HOUR_MS };

const HOURS: readonly FigureHour[] = [
  {
    at: HOUR_MS,
    status: { Sent: 1, Completed: 2, Funding: 0 },
    money: { MXN: { created: decimal('300.30'), completed: decimal('200.20') } },
    corridors: { 'US-MX': { created: 3, completed: 2 } },
    durations: { [durationBucket(1_000)]: 1, [durationBucket(60_000)]: 1 },
  },
  {
    at: 5 * HOUR_MS,
    status: { Completed: 1, Failed: 1, Rejected: 2, Cancelled: 1 },
    money: {
      MXN: { created: decimal('0.01'), completed: decimal('0.01') },
      GTQ: { created: decimal('9007199254740993.01') },
    },
    corridors: {
      'US-MX': { created: 1, failed: 1 },
      'US-GT': { created: 4, failed: 2, cancelled: 1, completed: 1 },
    },
    causes: { PAYOUT_FAILED: 1, REJECTED: 2 },
    durations: { [durationBucket(60_000)]: 1 },
  },
];

describe('Figures', () => {
  test('add up hours, exactly', () => {
    expect(sumFigures('operation', HOURS, PERIOD)).toEqual({
      from: new Date(0),
      to: new Date(24 * HOUR_MS),
      created: 8,
      completed: 3,
      failed: 3,
      cancelled: 1,
      successRate: 3 / 7,
      medianMs: expect.any(Number),
      statuses: [
        { status: 'Completed', count: 3 },
        { status: 'Rejected', count: 2 },
        { status: 'Cancelled', count: 1 },
        { status: 'Failed', count: 1 },
        { status: 'Sent', count: 1 },
      ],
      volume: [
        { currency: 'GTQ', created: '9007199254740993.01', completed: '0' },
        { currency: 'MXN', created: '300.31', completed: '200.21' },
      ],
      corridors: [
        { sourceCountry: 'US', destinationCountry: 'GT', created: 4, completed: 1, failed: 2, cancelled: 1 },
        { sourceCountry: 'US', destinationCountry: 'MX', created: 4, completed: 2, failed: 1, cancelled: 0 },
      ],
      causes: [
        { cause: 'REJECTED', count: 2 },
        { cause: 'PAYOUT_FAILED', count: 1 },
      ],
    });
  });

  test('have a median that is at most 9 % off', () => {
    const { medianMs } = sumFigures('operation', HOURS, PERIOD);
    expect(Number(medianMs) / 60_000).toBeGreaterThan(1 / 1.0906);
    expect(Number(medianMs) / 60_000).toBeLessThan(1.0906);
  });

  test('have no rate and no median when nothing has ended', () => {
    const hours = [{ at: 0, status: { PENDING: 2 } }];
    expect(sumFigures('webhookDelivery', hours, PERIOD)).toMatchObject({
      ...{ created: 2, completed: 0, failed: 0, successRate: null, medianMs: null },
      ...{ volume: [], corridors: [], causes: [] },
    });
  });

  test('of periods are those of their hours, and 0 in periods without any', () => {
    const periods = [0, 2, 5, 6].map((hour) => ({ from: hour * HOUR_MS, before: (hour + 2) * HOUR_MS }));
    const [first, second, third, last] = sumByPeriod('operation', HOURS, periods);
    expect([first?.created, second?.created, third?.created, last?.created]).toEqual([3, 0, 5, 0]);
    expect(second).toMatchObject({ successRate: null, statuses: [], from: new Date(2 * HOUR_MS) });
  });

  test('name the most frequent corridors only', () => {
    const corridors = Object.fromEntries(
      Array.from({ length: 30 }, (_, index) => [
        `US-${String.fromCharCode(65 + index)}X`,
        { created: index + 1 },
      ]),
    );
    const found = sumFigures('operation', [{ at: 0, corridors }], PERIOD).corridors;
    expect(found).toHaveLength(MOST_CORRIDORS);
    expect(found[0]?.created).toBe(30);
    expect(found.at(-1)?.created).toBe(11);
  });
});

test('each outcome has the statuses in which records end so', () => {
  const { completed, failed, cancelled } = STATUSES_OF.operation;
  for (const [status, shown] of Object.entries(PARTNER_STATUS_OF)) {
    const has = [completed, failed, cancelled].map((statuses) => statuses.includes(status));
    expect([status, has]).toEqual([status, ['completed', 'failed', 'cancelled'].map((one) => one === shown)]);
  }
  const others = [STATUSES_OF.requestMoney, STATUSES_OF.webhookDelivery].map((one) =>
    Object.values(one).flat(),
  );
  expect(others[0]?.filter((status) => !MONEY_REQUEST_STATUSES.some((one) => one === status))).toEqual([]);
  expect(others[1]?.filter((status) => !DELIVERY_STATUSES.some((one) => one === status))).toEqual([]);
});
