import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordQueries, whyNotServed } from '../../../test/support/query-shapes.ts';
import { openTestStore } from '../../dev-store/testing.ts';
import type { Store } from '../../platform/database/types.ts';
import { SortDirection } from '../../platform/graphql/listing.ts';
import { type Bench, createBench, newCorrelationId, principal, START } from '../testing.ts';
import { OperationSortField, type OperationWhereInput, toListing } from './listing.ts';
import { OperationStatus } from './operation.type.ts';

/** Fields that leave so few records that the rest of a filter may look through them. */
const SELECTIVE = ['userId', 'recipientReferenceId'];

const FILTERS: OperationWhereInput[] = [
  {},
  { status: [OperationStatus.SENT] },
  { status: [OperationStatus.SENT, OperationStatus.ACCEPTED] },
  { userId: 'u_1' },
  { referenceId: 'u-77' },
  { userId: 'u_1', status: [OperationStatus.SENT] },
  { referenceId: 'u-77', status: [OperationStatus.SENT], userId: 'u_1' },
];

let store: Store;
let bench: Bench;

beforeAll(async () => {
  store = await openTestStore();
  bench = await createBench(store);
});
afterAll(() => store.close());

test('a declared index serves every query, filter and sort together', async () => {
  const queries = recordQueries(store.connection);
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
  await bench.service.moves(principal, correlationId);
  const own = new Map(
    Object.values(bench.deps.models).map((model) => [model.collection.name, model.schema.indexes()]),
  );
  const asked = queries.filter(({ collection }) => own.has(collection));
  const issues = asked.flatMap((query) => {
    const indexes = own.get(query.collection) as Parameters<typeof whyNotServed>[1];
    const reason = whyNotServed(query, indexes, SELECTIVE);
    return reason === undefined ? [] : `${query.collection}.${query.method}: ${reason}`;
  });
  expect([...new Set(issues)]).toEqual([]);
  expect(asked.length).toBeGreaterThan(80);
});
