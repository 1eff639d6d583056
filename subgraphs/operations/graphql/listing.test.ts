import { expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../../test/support/query-shapes.ts';
import { SortDirection } from '../../graph/listing.ts';
import { newCorrelationId, principal, START, useBench } from '../testing.ts';
import { OperationSortField, type OperationWhereInput, toListing } from './listing.ts';
import type { ReservationWhereInput } from './reservation.type.ts';
import { toReservationFilter } from './reservation-resolver.ts';

const FILTERS: OperationWhereInput[] = [
  {},
  { status: ['Sent'] },
  { status: ['Sent', 'Accepted'] },
  { userId: 'u_1' },
  { referenceId: 'u-77' },
  { userId: 'u_1', status: ['Sent'] },
  { referenceId: 'u-77', status: ['Sent'], userId: 'u_1' },
  { userId: 'u_1', contactId: 'c_1', amount: { gte: '1', lte: '2' }, currency: 'MXN' },
  { referenceId: 'u-77', sourceCountry: 'US', destinationCountry: 'MX' },
];
/** These look through the operations of a span. */
const OF_A_SPAN: OperationWhereInput[] = [
  { amount: { gte: '1' } },
  { currency: 'MXN', status: ['Sent'] },
  { sourceCountry: 'US', destinationCountry: 'MX' },
  { contactId: 'c_1' },
  { failureCause: ['REJECTED'] },
  { failureCause: ['CARD_DECLINED'], status: ['Failed', 'Rejected'] },
];

const bench = useBench('file');

test('a declared index serves every query, filter and sort together', async () => {
  const queries = recordQueries(bench.database.connection);
  const cursor = (field: string) => Buffer.from(`${field}:${START.getTime()}:o_1`).toString('base64url');
  for (const where of FILTERS) {
    for (const field of Object.values(OperationSortField)) {
      for (const direction of Object.values(SortDirection)) {
        const listing = toListing(where, { field, direction });
        const page = await bench.service.list(principal, listing, { after: cursor(field) });
        await page.count();
        await bench.service.list(principal, listing, { last: 1 });
      }
    }
    const createdAt = { gte: START, lt: new Date() };
    await bench.service.list(principal, toListing({ ...where, createdAt }, null), {});
  }
  const month = { gte: START, lt: new Date(START.getTime() + 31 * 86_400_000) };
  for (const where of OF_A_SPAN) {
    await bench.service.list(principal, toListing({ ...where, createdAt: month }, null), {});
  }
  const userId = await bench.newUser();
  const correlationId = newCorrelationId();
  await bench.request(userId, { correlationId });
  await bench.update(correlationId, { status: 'Accepted' });
  await bench.service.history(principal, { userId });
  await bench.service.history(principal, { userId, destinationPhone: '+13125550188' });
  await bench.service.findByIds(principal, [correlationId]);
  await bench.service.findMoves(principal, [correlationId]);
  const own = new Set(Object.values(bench.models).map((model) => model.collection.name));
  const made = queries.filter(({ collection }) => own.has(collection));
  expect(findUnserved(bench.database.connection, made)).toEqual([]);
  expect(made.length).toBeGreaterThan(80);
});

test('a declared index serves every list of reservations', async () => {
  const queries = recordQueries(bench.database.connection);
  for (const where of [
    null,
    { status: ['FAILED'] },
    { payerMayHaveBeenAsked: true },
    { payerMayHaveBeenAsked: true, status: ['FAILED'] },
    { payerMayHaveBeenAsked: false },
    { payerMayHaveBeenAsked: false, status: ['SUCCEEDED'] },
  ] as ReservationWhereInput[]) {
    const filter = toReservationFilter(where);
    const listed = await bench.service.listReservations(principal, filter, { first: 1 });
    await listed.count();
    await bench.service.listReservations(principal, filter, { last: 1 });
  }
  const made = queries.filter(({ collection }) => collection === 'reservations');
  expect(made).toHaveLength(18);
  expect(findUnserved(bench.database.connection, made)).toEqual([]);
});

test('operations are listed by amount, currency, countries and contact', async () => {
  const userId = await bench.newUser();
  for (const recipientAmount of [9.5, 10, 100.25]) {
    expect(await bench.request(userId, { recipientAmount })).toMatchObject({ ok: true });
    bench.now = new Date(bench.now.getTime() + 1_000);
  }
  const listed = async (where: OperationWhereInput) => {
    const { nodes } = await bench.service.list(principal, toListing({ ...where, userId }, null), {});
    return nodes.map(({ recipientAmount }) => recipientAmount).toReversed();
  };
  const [stored] = (await bench.service.list(principal, toListing({ userId }, null), {})).nodes;
  const { contactId, recipientCurrency, sourceCountry, destinationCountry } = stored ?? {};
  expect(await listed({})).toEqual(['9.5', '10', '100.25']);
  expect(await listed({ amount: { gte: '9.51' } })).toEqual(['10', '100.25']);
  expect(await listed({ amount: { gte: '10.00', lte: '10' } })).toEqual(['10']);
  expect(await listed({ amount: { lte: '100.24999' } })).toEqual(['9.5', '10']);
  expect(await listed({ amount: { gte: '2', lte: '9' } })).toEqual([]);
  const all = { contactId, currency: recipientCurrency, sourceCountry, destinationCountry };
  expect(Object.values(all).every((value) => value !== undefined)).toBe(true);
  expect(await listed(all as OperationWhereInput)).toHaveLength(3);
  for (const where of [
    { contactId: 'c' },
    { currency: 'JPY' },
    { sourceCountry: 'JP' },
    { destinationCountry: 'JP' },
  ]) {
    expect(await listed(where)).toEqual([]);
  }
});
