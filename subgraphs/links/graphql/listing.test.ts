import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries, type StoreQuery } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { acme, type Bench, createBench, globex, MINUTE_MS, must, START, USER_DATA } from '../testing.ts';
import { expireLinks } from '../use-cases/expire-links.ts';
import type { LinkPageQuery } from '../use-cases/page-links.ts';
import { type LinkWhereInput, toListing } from './listing.ts';

let store: Database;
let bench: Bench;
let queries: readonly StoreQuery[];
/** By number in order of creation, a second apart. */
const linkIds: string[] = [];
let userOfTwo = '';

beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store);
  // 1: opened; 2: expires, opened; 3: revoked; 4: expires; 5: another flow; 6: revoked, and past its time.
  const made = [
    { referenceId: 'r-1' },
    { referenceId: 'r-2', expiresInMinutes: 1 },
    { referenceId: 'r-1' },
    { referenceId: 'r-2', expiresInMinutes: 1, flow: 'cip' },
    { referenceId: 'r-3', flow: 'request_money' },
    { referenceId: 'r-1', expiresInMinutes: 1 },
  ];
  for (const changes of made) {
    const link = must(await bench.create(changes));
    linkIds.push(link.linkId);
    userOfTwo = changes.referenceId === 'r-2' ? link.userId : userOfTwo;
    bench.pass(1_000);
  }
  must(await bench.create({ referenceId: 'r-1' }, globex));
  must(await bench.internal.open(linkIds[0] ?? ''));
  must(await bench.internal.open(linkIds[1] ?? ''));
  must(await bench.service.revoke(acme, linkIds[2] ?? ''));
  must(await bench.service.revoke(acme, linkIds[5] ?? ''));
  bench.pass(MINUTE_MS);
  // As it is but for the seconds until the job comes; what lists say in those, worker.test.ts has.
  await expireLinks(bench.deps);
  queries = recordQueries(store.connection);
});
afterAll(() => store.close());

const numbers = (links: readonly { linkId: string }[]) =>
  links.map(({ linkId }) => linkIds.indexOf(linkId) + 1);
const at = (second: number) => new Date(START.getTime() + second * 1_000);

async function list(where: LinkWhereInput | null, direction: 'asc' | 'desc' = 'desc') {
  const sortBy = { field: 'createdAt', direction } as Parameters<typeof toListing>[1];
  return bench.service.list(acme, toListing(where, sortBy), {});
}

async function page(query: LinkPageQuery, by = acme) {
  const { items, ...rest } = must(await bench.service.page(by, query));
  return { numbers: numbers(items), ...rest };
}

async function issuesOf(query: LinkPageQuery): Promise<string[]> {
  const read = await bench.service.page(acme, query);
  return read.ok
    ? []
    : read.failures.map(({ code, path, message }) => `${code} ${path?.join('.')} ${message}`);
}

describe('links by keyset', () => {
  test.each([
    [{}, [6, 5, 4, 3, 2, 1]],
    [{ visibility: 'active' }, [5, 1]],
    [{ visibility: 'expired' }, [4, 2]],
    [{ status: ['created'] }, [5, 4]],
    [{ status: ['opened'] }, [2, 1]],
    [{ status: ['revoked'] }, [6, 3]],
    [{ status: ['opened', 'revoked'] }, [6, 3, 2, 1]],
    [{ status: [] }, []],
    [{ visibility: 'active', status: ['opened'] }, [1]],
    [{ visibility: 'expired', status: ['opened'] }, [2]],
    [{ visibility: 'expired', status: ['revoked'] }, []],
    [{ visibility: 'active', status: ['revoked'] }, []],
    [{ flow: ['cip', 'request_money'] }, [5, 4]],
    [{ flow: ['transfer'], visibility: 'expired' }, [2]],
    [{ flow: ['transfer'], status: ['revoked'] }, [6, 3]],
    [{ flow: ['transfer'], status: ['opened'], visibility: 'active' }, [1]],
    [{ referenceId: 'r-1' }, [6, 3, 1]],
    [{ referenceId: 'r-1', status: ['revoked'], flow: ['transfer'] }, [6, 3]],
    [{ referenceId: 'r-1', visibility: 'active' }, [1]],
    [{ referenceId: 'r-9' }, []],
    [{ createdAt: { gte: at(1), lt: at(4) } }, [4, 3, 2]],
    [{ createdAt: { gte: at(2) }, status: ['revoked'] }, [6, 3]],
    [{ createdAt: { lt: at(4) }, visibility: 'expired', status: ['created'] }, [4]],
    [{ createdAt: { gte: at(1), lt: at(4) }, referenceId: 'r-2' }, [4, 2]],
    [{ createdAt: { gte: at(4) }, flow: ['request_money'], visibility: 'active' }, [5]],
  ])('%j, in both directions', async (where, expected) => {
    const newest = await list(where as LinkWhereInput);
    expect(numbers(newest.nodes)).toEqual(expected);
    expect(await newest.count()).toBe(expected.length);
    expect(numbers((await list(where as LinkWhereInput, 'asc')).nodes)).toEqual(expected.toReversed());
  });

  test('of a user, alone and with a state', async () => {
    expect(numbers((await list({ userId: userOfTwo })).nodes)).toEqual([4, 2]);
    const where = { userId: userOfTwo, referenceId: 'r-2', status: ['opened'] } as LinkWhereInput;
    expect(numbers((await list(where)).nodes)).toEqual([2]);
    expect(numbers((await list({ userId: userOfTwo, referenceId: 'r-1' })).nodes)).toEqual([]);
  });

  test('continue after a cursor', async () => {
    const listing = toListing({ visibility: 'active' } as LinkWhereInput, null);
    const first = await bench.service.list(acme, listing, { first: 1 });
    const after = first.pageInfo.endCursor;
    expect(numbers((await bench.service.list(acme, listing, { first: 1, after })).nodes)).toEqual([1]);
  });
});

describe('links by page', () => {
  const whole = { page: 1, limit: 20, total: 6, totalPages: 1 };

  test.each<[LinkPageQuery, object]>([
    [{}, { ...whole, numbers: [6, 5, 4, 3, 2, 1] }],
    [
      { page: null, limit: undefined, status: null },
      { ...whole, numbers: [6, 5, 4, 3, 2, 1] },
    ],
    [{ limit: '1' }, { ...whole, limit: 1, totalPages: 6, numbers: [6] }],
    [{ limit: '100' }, { ...whole, limit: 100, numbers: [6, 5, 4, 3, 2, 1] }],
    [
      { limit: '4', page: '2' },
      { page: 2, limit: 4, total: 6, totalPages: 2, numbers: [2, 1] },
    ],
    [
      { limit: '4', page: '3' },
      { page: 3, limit: 4, total: 6, totalPages: 2, numbers: [] },
    ],
    [{ page: '999999999999999' }, { ...whole, page: 999_999_999_999_999, numbers: [] }],
    [{ page: '1'.padEnd(19, '0') }, { ...whole, page: 10 ** 18, numbers: [] }],
    [{ page: '9'.repeat(400) }, { ...whole, page: Number.MAX_VALUE, numbers: [] }],
    [{ referenceId: 'r-9' }, { ...whole, total: 0, totalPages: 0, numbers: [] }],
    [{ visibility: 'active' }, { ...whole, total: 2, numbers: [5, 1] }],
    [
      { visibility: 'expired', status: 'created' },
      { ...whole, total: 1, numbers: [4] },
    ],
    [
      { visibility: 'expired', referenceId: 'r-2', limit: '1', page: '2' },
      { page: 2, numbers: [2] },
    ],
    [
      { status: 'revoked', createdFrom: '2026-11-21T08:00:03Z' },
      { total: 1, numbers: [6] },
    ],
    [{ createdTo: '2026-11-21T08:00:01Z' }, { total: 2, numbers: [2, 1] }],
    [{ createdFrom: '2026-11-21T09:00:04+01:00', createdTo: '2026-11-21' }, { numbers: [6, 5] }],
    [{ createdFrom: '2026-11-21' }, { total: 6 }],
    [{ createdFrom: '2026-11-22' }, { total: 0 }],
    [{ createdTo: '2026-11-20' }, { total: 0 }],
    [{ createdFrom: '2026-11-21T08:00', createdTo: '2026-11-21T08:00:00.999' }, { numbers: [1] }],
    [{ createdFrom: '2026-12-01', createdTo: '2026-11-01' }, { total: 0 }],
  ])('the page of %j', async (query, expected) => {
    expect(await page(query)).toMatchObject(expected);
  });

  test.each<[LinkPageQuery, string]>([
    [{ page: '0' }, 'page must be an integer of at least 1'],
    [{ page: '-1' }, 'page must be an integer of at least 1'],
    [{ page: '1.5' }, 'page must be an integer of at least 1'],
    [{ page: 'one' }, 'page must be an integer of at least 1'],
    [{ page: '' }, 'page must be an integer of at least 1'],
    [{ page: '1e2' }, 'page must be an integer of at least 1'],
    [{ limit: '0' }, 'limit must be an integer of 1 to 100'],
    [{ limit: '101' }, 'limit must be an integer of 1 to 100'],
    [{ limit: 'many' }, 'limit must be an integer of 1 to 100'],
    [{ createdFrom: '21.11.2026' }, 'createdFrom must be an ISO 8601 date or date-time'],
    [{ createdFrom: '2026-02-30' }, 'createdFrom must be an ISO 8601 date or date-time'],
    [{ createdTo: '2026-02-30T08:00:00Z' }, 'createdTo must be an ISO 8601 date or date-time'],
    [{ createdTo: '2026-11-21T25:00:00Z' }, 'createdTo must be an ISO 8601 date or date-time'],
    [{ createdTo: '' }, 'createdTo must be an ISO 8601 date or date-time'],
    [{ visibility: 'revoked' }, 'visibility must be one of active, expired'],
    [{ status: 'CREATED' }, 'status must be one of created, opened, revoked'],
    [{ referenceId: '' }, 'referenceId must not be empty'],
  ])('fails for %j', async (query, issue) => {
    expect(await issuesOf(query)).toEqual([`INVALID_REQUEST ${issue}`]);
  });

  test('names every bad value', async () => {
    expect(await issuesOf({ page: 'x', limit: 'x', status: 'x', visibility: 'x' })).toHaveLength(4);
  });

  test("has nothing of another partner's", async () => {
    expect(await page({ referenceId: 'r-2' }, globex)).toMatchObject({ total: 0, numbers: [] });
    expect(await page({}, globex)).toMatchObject({ total: 1 });
  });

  test('follows the clock to the instant, without a job in between', async () => {
    const { linkId, expiresAt } = await bench.newLink({ referenceId: 'r-late', expiresInMinutes: 5 });
    bench.now = new Date(expiresAt.getTime() - 1);
    const visible = { referenceId: 'r-late', visibility: 'active' };
    expect(await page(visible)).toMatchObject({ total: 1 });
    bench.now = expiresAt;
    expect(await page(visible)).toMatchObject({ total: 0 });
    const expired = must(await bench.service.page(acme, { referenceId: 'r-late', visibility: 'expired' }));
    expect(expired.items.map((link) => link.linkId)).toEqual([linkId]);
  });
});

test('a declared index serves every query, filter and sort together', async () => {
  const { linkId, userId, referenceId } = await bench.newLink({ userData: USER_DATA });
  await bench.service.findByOperations(acme, ['op']);
  await bench.timeline(linkId);
  await bench.service.listActivities(acme, linkId, { last: 1 });
  await bench.service.findImage(acme, linkId);
  must(await bench.createTicket(acme, { linkId }));
  must(await bench.updateCip(userId, { status: 'verified' }));
  must(await bench.updateCip(userId, { status: 'failed' }));
  const { dataRequestId } = must(await bench.raise({ partnerId: 'acme', linkId, fields: ['dob'] }));
  must(await bench.fulfil(acme, dataRequestId, { referenceId, userData: { dob: '1990-01-01' } }));
  const operation = {
    accountId: 'acme/sandbox' as const,
    userId,
    operationId: 'op',
    status: 'Sent',
    at: bench.now,
  };
  await bench.deps.transaction((unit) => bench.port.attachOperation(operation, unit));
  expect(findUnserved(store.connection, queries)).toEqual([]);
  expect(queries.filter(({ collection }) => collection === 'links').length).toBeGreaterThan(100);
});
