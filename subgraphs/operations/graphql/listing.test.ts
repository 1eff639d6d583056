import { expect, test } from '@jest/globals';
import { recordQueries, whyNotServed } from '../../../test/support/query-shapes.ts';
import { SortDirection } from '../../platform/graphql/listing.ts';
import { newCorrelationId, principal, START, useBench } from '../testing.ts';
import { OperationSortField, type OperationWhereInput, toListing } from './listing.ts';

/** Fields that leave so few records that the rest of a filter may look through them. */
const SELECTIVE = ['userId', 'recipientReferenceId'];

const FILTERS: OperationWhereInput[] = [
  {},
  { status: ['Sent'] },
  { status: ['Sent', 'Accepted'] },
  { userId: 'u_1' },
  { referenceId: 'u-77' },
  { userId: 'u_1', status: ['Sent'] },
  { referenceId: 'u-77', status: ['Sent'], userId: 'u_1' },
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
  const userId = await bench.newUser();
  const correlationId = newCorrelationId();
  await bench.request(userId, { correlationId });
  await bench.update(correlationId, { status: 'Accepted' });
  await bench.service.history(principal, { userId });
  await bench.service.history(principal, { userId, destinationPhone: '+13125550188' });
  await bench.service.findByIds(principal, [correlationId]);
  await bench.service.findMoves(principal, [correlationId]);
  const own = new Map(
    Object.values(bench.models).map((model) => [model.collection.name, model.schema.indexes()]),
  );
  const made = queries.filter(({ collection }) => own.has(collection));
  const issues = made.flatMap((query) => {
    const indexes = own.get(query.collection) as Parameters<typeof whyNotServed>[1];
    const reason = whyNotServed(query, indexes, SELECTIVE);
    return reason === undefined ? [] : `${query.collection}.${query.method}: ${reason}`;
  });
  expect([...new Set(issues)]).toEqual([]);
  expect(made.length).toBeGreaterThan(80);
});
