import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries, type StoreQuery } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { acme, type Bench, CARD, createBench, FRIEND, globex, START } from '../testing.ts';

const LIST = `query ($where: UserWhereInput, $sortBy: UserSortInput, $first: Int, $after: String, $last: Int, $before: String) {
  users(where: $where, sortBy: $sortBy, first: $first, after: $after, last: $last, before: $before) {
    totalCount nodes { id } pageInfo { endCursor }
  }
}`;
interface Listed {
  users: { totalCount: number; nodes: { id: string }[]; pageInfo: { endCursor: string } };
}

let store: Database;
let bench: Bench;
let queries: readonly StoreQuery[];
/** In the order in which they were made, a minute apart. */
const ids: string[] = [];
const minute = (count: number) => new Date(START.getTime() + count * 60_000);

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
  for (const index of [0, 1, 2, 3, 4]) {
    bench.now = minute(index);
    const email = `Person.${index}@example.com`;
    ids.push(await bench.newUser({ phoneNumber: `+52559900000${index}`, email }));
  }
  await bench.newUser({ email: 'person.0@example.com' }, globex);
  const users = store.connection.collection<{ _id: string }>('users');
  const set = (index: number, change: object) => users.updateOne({ _id: ids[index] ?? '' }, { $set: change });
  await set(1, { cipStatus: 'verified', referenceId: 'r-1' });
  await set(2, { cipStatus: 'failed', blocked: true });
  await set(3, { cipStatus: 'verified', blocked: true });
  queries = recordQueries(store.connection);
});
afterAll(() => store.close());

async function list(variables: Record<string, unknown> = {}, by = acme): Promise<Listed['users']> {
  const answer = await bench.execute<Listed>(LIST, variables, by);
  expect(answer.errors).toBeUndefined();
  return answer.data?.users as Listed['users'];
}
const listed = async (variables?: Record<string, unknown>) =>
  (await list(variables)).nodes.map(({ id }) => ids.indexOf(id));

describe('users', () => {
  test('are listed newest first, or oldest first', async () => {
    expect(await listed()).toEqual([4, 3, 2, 1, 0]);
    expect(await listed({ sortBy: { field: 'CREATED_AT' } })).toEqual([4, 3, 2, 1, 0]);
    expect(await listed({ sortBy: { field: 'CREATED_AT', direction: 'ASC' } })).toEqual([0, 1, 2, 3, 4]);
  });

  test.each([
    ['a state', { cipStatus: 'VERIFIED' }, [3, 1]],
    ['several', { cipStatus: ['FAILED', 'PENDING'] }, [4, 2, 0]],
    ['no state at all', { cipStatus: [] }, []],
    ['blocked', { blocked: true }, [3, 2]],
    ['not blocked', { blocked: false }, [4, 1, 0]],
    ['a state, blocked', { cipStatus: ['VERIFIED'], blocked: true }, [3]],
    ['a reference', { referenceId: 'r-1' }, [1]],
    ['a reference that nobody has', { referenceId: 'r-2' }, []],
    ['a phone number', { phoneNumber: '+525599000002' }, [2]],
    ['a phone number with spaces', { phoneNumber: '+52 55 9900 0002' }, [2]],
    ['a phone number that nobody has', { phoneNumber: '+525599000009' }, []],
    ['a text that is no phone number', { phoneNumber: 'x' }, []],
    ['an email, letter case aside', { email: 'PERSON.3@example.com' }, [3]],
    [
      'an email and the phone number of it',
      { email: 'person.3@example.com', phoneNumber: '+525599000003' },
      [3],
    ],
    [
      'an email and the phone number of another',
      { email: 'person.3@example.com', phoneNumber: '+525599000002' },
      [],
    ],
    ['an email and a state', { email: 'person.3@example.com', cipStatus: 'FAILED' }, []],
    ['a time, from and before', { createdAt: { gte: minute(1), lt: minute(3) } }, [2, 1]],
    ['a time and a state', { createdAt: { gte: minute(2) }, cipStatus: 'VERIFIED' }, [3]],
    ['a time, a state, blocked', { createdAt: { lt: minute(3) }, cipStatus: 'FAILED', blocked: true }, [2]],
    [
      'nulls',
      { createdAt: null, cipStatus: null, blocked: null, email: null, phoneNumber: null },
      [4, 3, 2, 1, 0],
    ],
  ])('by %s', async (_what, where, expected) => {
    const variables = { where: JSON.parse(JSON.stringify(where)) as object };
    expect(await listed(variables)).toEqual(expected);
    expect((await list(variables)).totalCount).toBe(expected.length);
    expect(await listed({ ...variables, sortBy: { field: 'CREATED_AT', direction: 'ASC' } })).toEqual(
      [...expected].reverse(),
    );
  });

  test('page by page', async () => {
    const where = { cipStatus: ['PENDING', 'VERIFIED'] };
    const { pageInfo } = await list({ where, first: 2 });
    expect(await listed({ where, first: 2, after: pageInfo.endCursor })).toEqual([1, 0]);
    expect(await listed({ where, last: 1, before: pageInfo.endCursor })).toEqual([4]);
  });

  test("never lists another partner's", async () => {
    expect(await listed({ where: { email: 'person.0@example.com' } })).toEqual([0]);
    expect((await list({}, globex)).totalCount).toBe(1);
    expect((await list({ where: { referenceId: 'r-1' } }, globex)).nodes).toEqual([]);
  });
});

test('a declared index serves every query, filter and sort together', async () => {
  const [userId = ''] = ids;
  await bench.service.createContact(acme, userId, FRIEND);
  await bench.service.createContact(acme, userId, { ...FRIEND, firstName: 'Lucho' });
  await bench.service.addCard(acme, userId, CARD);
  await bench.service.addUbn(acme, userId, { number: '1', country: 'MX', currency: 'MXN' });
  await bench.port.findContact({ accountId: 'acme/sandbox', userId }, { email: FRIEND.email });
  await bench.service.frequentContactsByToken(acme, userId, '5');
  for (const page of [{}, { last: 2 }]) {
    await (await bench.service.listContacts(acme, userId, page)).count();
    await (await bench.service.listPaymentMethods(acme, userId, page)).count();
  }
  await bench.service.findByPhones(acme, ['+525599000001', '+525599000002']);
  expect(findUnserved(store.connection, queries)).toEqual([]);
  for (const collection of ['users', 'contacts', 'paymentMethods']) {
    expect(queries.filter((query) => query.collection === collection).length).toBeGreaterThan(3);
  }
});
