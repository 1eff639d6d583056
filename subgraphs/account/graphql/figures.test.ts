import { beforeAll, describe, expect, test } from '@jest/globals';
import { Decimal } from 'decimal.js';
import { type GraphQLSchema, graphql } from 'graphql';
import { until } from '../../../test/support/until.ts';
import { buildSubgraph } from '../../graph/subgraph.ts';
import type { AccountId } from '../../kernel/account.ts';
import type { Principal } from '../../kernel/principal.ts';
import { type OperationStatus, PARTNER_STATUS_OF } from '../../operations/lifecycle.ts';
import type { OperationDocument } from '../../operations/store/model.ts';
import { newCorrelationId, priceOf, principal, stranger, useBench } from '../../operations/testing.ts';
import { fulfil } from '../../operations/use-cases/fulfil-money-request.ts';
import { createEvents } from '../../runtime/events/index.ts';
import { createEventModels } from '../../runtime/events/model.ts';
import { quiet, TEST_KEY } from '../../runtime/events/testing.ts';
import { FiguresResolver } from './figures-resolver.ts';

const HOUR_MS = 3_600_000;
/** Clocks go back in New York on 1 November. */
const FROM = Date.parse('2026-10-30T00:00:00.000Z');
const live: Principal = { ...principal, accountId: 'acme/live' };

const bench = useBench('file');
let schema: GraphQLSchema;
let operations: OperationDocument[];

beforeAll(async () => {
  const { connection } = bench.database;
  const events = createEvents({ connection, log: quiet, cursorKeys: [TEST_KEY], isClockRight: () => true });
  ({ schema } = await buildSubgraph({
    name: 'figures',
    resolvers: [new FiguresResolver(events.figures)],
    references: {},
  }));
  events.sequencer.start();
  try {
    await makeOperations();
    const { events: log } = createEventModels(connection);
    await until('all are numbered', async () => (await log.countDocuments({ pending: true })) === 0);
  } finally {
    await events.close();
  }
  operations = await bench.models.operations.find().lean();
});

const PATHS: readonly (readonly OperationStatus[])[] = [
  [],
  ['Funding', 'Funded', 'Completed'],
  ['Rejected'],
  ['Funding', 'Failed'],
  ['Funding', 'Funded', 'Failed'],
  ['OnHold', 'Rejected'],
  ['Cancelled'],
  ['Accepted', 'Funding', 'Funded', 'Completed'],
];

/** Operations of every end, over four days, in both environments. */
async function makeOperations(): Promise<void> {
  const userId = await bench.newUser();
  for (const [index, path] of [...PATHS, ...PATHS].entries()) {
    bench.now = new Date(FROM + index * 5.6 * HOUR_MS);
    const correlationId = newCorrelationId();
    expect((await bench.request(userId, { correlationId })).ok).toBe(true);
    for (const status of path) {
      bench.now = new Date(bench.now.getTime() + 90_000);
      expect((await bench.update(correlationId, { status })).ok).toBe(true);
    }
  }
  for (const [accountId, amount] of [
    ['acme/live', '0.01'],
    ['acme/live', '1000000000.99'],
    ['acme/sandbox', '20.05'],
  ] as const) {
    const fulfilment = {
      accountId,
      requestReferenceId: `AB12cd3${amount.length}`,
      recipientReferenceId: 'u-77',
      userId,
      countries: { sourceCountry: 'CA', destinationCountry: 'MX' },
      quote: priceOf(amount),
      status: 'Completed' as const,
      statusDetails: 'Funded',
      at: new Date(FROM + 50 * HOUR_MS),
    };
    const done = await bench.deps.transaction((unit) => fulfil(bench.deps, fulfilment, unit));
    expect(done.ok).toBe(true);
  }
}

const FIGURES = `from to created completed failed cancelled successRate medianMs
  statuses { status count } volume { currency created { amount currency } completed { amount } }
  corridors { sourceCountry destinationCountry created completed failed cancelled } causes { cause count }`;

interface FiguresAnswer {
  readonly from: string;
  readonly to: string;
  readonly medianMs: number | null;
}

interface Report {
  readonly total: FiguresAnswer;
  readonly series: readonly FiguresAnswer[];
}

const RANGE = `from: "${new Date(FROM).toISOString()}", to: "${new Date(FROM + 100 * HOUR_MS).toISOString()}"`;

async function figures(
  by: Principal,
  { args = `of: OPERATION, ${RANGE}`, series = 'by: DAY, timeZone: "America/New_York"' } = {},
) {
  const { data, errors } = await graphql({
    schema,
    source: `{ figures(${args}) { total { ${FIGURES} } series(${series}) { ${FIGURES} } } }`,
    contextValue: { principal: by, requestId: 'r1' },
  });
  return {
    report: JSON.parse(JSON.stringify(data?.figures ?? null)) as Report | null,
    errors: errors?.map(({ message, extensions }) => [extensions.code, message]),
  };
}

/** The same figures, from the records that were created in the period. */
function recompute(accountId: AccountId, { from, to }: Pick<FiguresAnswer, 'from' | 'to'>) {
  const own = operations.filter(
    (one) => one.accountId === accountId && one.createdAt >= new Date(from) && one.createdAt < new Date(to),
  );
  const isA = (outcome: string) => (one: OperationDocument) => PARTNER_STATUS_OF[one.status] === outcome;
  const count = (records: readonly OperationDocument[]) => ({
    created: records.length,
    completed: records.filter(isA('completed')).length,
    failed: records.filter(isA('failed')).length,
    cancelled: records.filter(isA('cancelled')).length,
  });
  const { completed, failed, cancelled } = count(own);
  const ended = completed + failed + cancelled;
  const sum = (records: readonly OperationDocument[]) =>
    records.reduce((all, { recipientAmount }) => all.plus(recipientAmount), new Decimal(0)).toFixed();
  const corridors = [...new Set(own.map(({ sourceCountry }) => sourceCountry))].map((sourceCountry) => ({
    sourceCountry,
    destinationCountry: 'MX',
    ...count(own.filter((one) => one.sourceCountry === sourceCountry)),
  }));
  return {
    ...count(own),
    successRate: ended === 0 ? null : completed / ended,
    volume:
      own.length === 0
        ? []
        : [
            {
              currency: 'MXN',
              created: { amount: sum(own), currency: 'MXN' },
              completed: { amount: sum(own.filter(isA('completed'))) },
            },
          ],
    corridors: corridors.sort(
      (one, other) => other.created - one.created || one.sourceCountry.localeCompare(other.sourceCountry),
    ),
  };
}

describe('figures', () => {
  test.each([principal, live])('of $accountId are those of its records', async (by) => {
    const { report, errors } = await figures(by);
    expect(errors).toBeUndefined();
    expect(report?.total).toMatchObject(recompute(by.accountId, report?.total ?? { from: '', to: '' }));
    for (const period of report?.series ?? []) {
      expect(period).toMatchObject(recompute(by.accountId, period));
    }
  });

  test('of days begin at midnight of the time zone, also when clocks change', async () => {
    const { report } = await figures(principal);
    expect(report?.series.map(({ from }) => from.slice(0, 13))).toEqual([
      '2026-10-30T00',
      '2026-10-30T04',
      '2026-10-31T04',
      '2026-11-01T04',
      '2026-11-02T05',
    ]);
    expect(report?.series.at(-1)?.to).toBe('2026-11-03T04:00:00.000Z');
  });

  test('say in which statuses records are, and the causes of failures', async () => {
    const { report } = await figures(principal);
    expect(report?.total).toMatchObject({
      statuses: [
        { status: 'COMPLETED', count: 5 },
        { status: 'FAILED', count: 4 },
        { status: 'REJECTED', count: 4 },
        { status: 'CANCELLED', count: 2 },
        { status: 'SENT', count: 2 },
      ],
      causes: [
        { cause: 'REJECTED', count: 4 },
        { cause: 'PAYMENT_FAILED', count: 2 },
        { cause: 'PAYOUT_FAILED', count: 2 },
      ],
    });
  });

  test('have the median time to completion, at most 9 % off', async () => {
    const { report } = await figures(principal);
    const durations = operations
      .filter(({ accountId, status }) => accountId === 'acme/sandbox' && status === 'Completed')
      .map(({ createdAt, updatedAt }) => updatedAt.getTime() - createdAt.getTime())
      .sort((one, other) => one - other);
    const exact = Number(durations[Math.floor(durations.length / 2)]);
    expect(durations).toHaveLength(5);
    expect(Number(report?.total.medianMs) / exact).toBeGreaterThan(1 / 1.0906);
    expect(Number(report?.total.medianMs) / exact).toBeLessThan(1.0906);
  });

  test('are 0 for another partner, and for records that there are none of', async () => {
    for (const { report } of [
      await figures(stranger),
      await figures(principal, { args: `of: REQUEST_MONEY, ${RANGE}` }),
    ]) {
      expect(report?.total).toMatchObject({ created: 0, successRate: null, medianMs: null, volume: [] });
      expect(report?.series).toHaveLength(5);
    }
  });

  test('have as many hours as the range', async () => {
    const { report } = await figures(principal, { series: 'by: HOUR' });
    expect(report?.series).toHaveLength(100);
    for (const period of report?.series ?? []) {
      expect(period).toMatchObject(recompute('acme/sandbox', period));
    }
  });

  test.each([
    [
      { args: 'of: OPERATION, from: "2026-11-02T00:00:00Z", to: "2026-11-01T00:00:00Z"' },
      'from must be before to, at most 400 days.',
    ],
    [
      { args: 'of: OPERATION, from: "2025-01-01T00:00:00Z", to: "2026-11-01T00:00:00Z"' },
      'from must be before to, at most 400 days.',
    ],
    [
      {
        args: 'of: OPERATION, from: "2026-09-01T00:00:00Z", to: "2026-11-01T00:00:00Z"',
        series: 'by: HOUR',
      },
      'These are more than 1000 periods. Ask for a shorter range, or for days.',
    ],
    [
      { series: 'by: DAY, timeZone: "Mars/Olympus"' },
      'timeZone is not an IANA time zone, such as "America/Mexico_City".',
    ],
  ])('for %j fail', async (query, message) => {
    expect((await figures(principal, query)).errors).toEqual([['BAD_USER_INPUT', message]]);
  });
});
