import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import {
  acme,
  type Bench,
  bodyOf,
  codeOf,
  createBench,
  globex,
  MINUTE_MS,
  must,
  newReference,
  START,
  USER_DATA,
} from '../testing.ts';

let store: Database;
let bench: Bench;

beforeAll(async () => {
  store = await openTestDatabase();
});
afterAll(() => store.close());
beforeEach(async () => {
  bench = await createBench(store);
});

const usersOf = (referenceId: string) =>
  store.connection.collection('users').find({ accountId: 'acme/sandbox', referenceId }).toArray();

describe('a link', () => {
  test('is made with its user, its first activity and its event', async () => {
    const referenceId = newReference();
    const metadata = { order: 77, tags: ['a', null], nested: { amount: 10.1 } };
    const link = must(await bench.create({ referenceId, flow: 'cip', userData: USER_DATA, metadata }));
    expect(link).toMatchObject({
      referenceId,
      flow: 'cip',
      status: 'created',
      version: 1,
      userData: USER_DATA,
      attached: { metadata },
      expiresAt: new Date(START.getTime() + 1_440 * MINUTE_MS),
      createdAt: START,
    });
    expect(link.url).toMatch(/^https:\/\/widget\.acme\.test\/w\/[\w-]{22}$/);
    expect((await bench.service.findByIds(acme, [link.linkId])).get(link.linkId)).toEqual(link);
    expect(await bench.timeline(link.linkId)).toEqual([
      expect.objectContaining({ type: 'link.created', actor: 'partner', status: 'success', number: 1 }),
    ]);
    expect(bench.events).toEqual([
      expect.objectContaining({
        entity: 'link',
        entityId: link.linkId,
        version: 1,
        type: 'link.created',
        previousStatus: null,
        status: 'created',
      }),
    ]);
  });

  test('has the user of its reference, who keeps name and birth date', async () => {
    const referenceId = newReference();
    const first = must(await bench.create({ referenceId }));
    const profiles = async () => {
      const accountState = await bench.deps.transaction((unit) =>
        bench.deps.users.accountState('acme/sandbox', first.userId, unit),
      );
      const user = (await usersOf(referenceId))[0];
      return { accountState, updatedAt: user?.updatedAt };
    };
    expect(await profiles()).toMatchObject({ accountState: { blocked: false }, updatedAt: START });
    bench.pass(1_000);
    const second = must(await bench.create({ referenceId, userData: { name: USER_DATA.name } }));
    expect(second.userId).toBe(first.userId);
    const named = (await profiles()).updatedAt;
    expect(named).toEqual(bench.now);
    bench.pass(1_000);
    await bench.create({ referenceId, userData: { name: { firstName: 'Other', lastName: 'Name' } } });
    expect((await profiles()).updatedAt).toEqual(named);
  });

  test.each([
    [1, 1],
    [43_200, 43_200],
    [undefined, 1_440],
  ])('with a life of %p minutes lives %p minutes', async (expiresInMinutes, minutes) => {
    const link = await bench.newLink({ expiresInMinutes });
    expect(link.expiresAt.getTime() - START.getTime()).toBe(minutes * MINUTE_MS);
  });

  test.each([
    ['no body', undefined, ['']],
    ['a list', [], ['']],
    ['nothing', {}, ['flow', 'referenceId']],
    ['no such flow', bodyOf({ flow: 'fly' }), ['flow']],
    ['an empty reference', bodyOf({ referenceId: '' }), ['referenceId']],
    ['a long reference', bodyOf({ referenceId: 'r'.repeat(256) }), ['referenceId']],
    ['a number as reference', bodyOf({ referenceId: 7 }), ['referenceId']],
    ['no time', bodyOf({ expiresInMinutes: 0 }), ['expiresInMinutes']],
    ['too much time', bodyOf({ expiresInMinutes: 43_201 }), ['expiresInMinutes']],
    ['half a minute', bodyOf({ expiresInMinutes: 1.5 }), ['expiresInMinutes']],
    ['time as text', bodyOf({ expiresInMinutes: '5' }), ['expiresInMinutes']],
    ['data as text', bodyOf({ userData: 'Ana' }), ['userData']],
    ['data as a number', bodyOf({ userData: 5 }), ['userData']],
    ['no last name', bodyOf({ userData: { name: { firstName: 'A' } } }), ['userData.name.lastName']],
    ['no real day', bodyOf({ userData: { dob: '2025-02-29' } }), ['userData.dob']],
    ['a long id type', bodyOf({ userData: { idType: 'p'.repeat(65) } }), ['userData.idType']],
    ['an empty id number', bodyOf({ userData: { idNumber: '' } }), ['userData.idNumber']],
    ['metadata as a list', bodyOf({ metadata: [1] }), ['metadata']],
    ['metadata as a number', bodyOf({ metadata: 5 }), ['metadata']],
    [
      'several at once',
      bodyOf({ flow: 'x', userData: { dob: 'x', idType: 5 } }),
      ['flow', 'userData.idType', 'userData.dob'],
    ],
  ])('fails for %s', async (_what, body, paths) => {
    const created = await bench.createFrom(body);
    expect(created.ok ? [] : created.failures.map(({ path }) => path?.join('.'))).toEqual(paths);
    expect(codeOf(created)).toBe('INVALID_REQUEST');
    expect(bench.events).toEqual([]);
  });

  test('ignores unknown fields', async () => {
    const link = await bench.newLink({ colour: 'red', userData: { idType: 'ine', shoe: 42 } });
    expect(link.userData).toEqual({ idType: 'ine' });
  });

  test('fails for a flow that the partner does not have', async () => {
    expect(codeOf(await bench.create({ flow: 'cip' }, globex))).toBe('FLOW_NOT_ALLOWED');
    expect(codeOf(await bench.create({ flow: 'transfer' }, globex))).toBeUndefined();
  });

  test('fails for a blocked user, and nothing is written', async () => {
    const { referenceId, userId } = await bench.newLink();
    await bench.block(userId);
    const before = await store.connection.collection('links').countDocuments();
    expect(codeOf(await bench.create({ referenceId, userData: USER_DATA }))).toBe('USER_BLOCKED');
    expect(await store.connection.collection('links').countDocuments()).toBe(before);
  });
});

describe('at once', () => {
  test('50 links for a new reference make one user', async () => {
    const referenceId = newReference();
    const made = await Promise.all(
      Array.from({ length: 50 }, () => bench.create({ referenceId, userData: { dob: '1990-01-01' } })),
    );
    const links = made.map(must);
    expect(new Set(links.map(({ userId }) => userId)).size).toBe(1);
    expect(new Set(links.map(({ linkId }) => linkId)).size).toBe(50);
    expect(await usersOf(referenceId)).toHaveLength(1);
    expect(await store.connection.collection('links').countDocuments({ referenceId })).toBe(50);
  });

  test('two partners with one reference have a user each', async () => {
    const referenceId = newReference();
    const [one, other] = await Promise.all([
      bench.create({ referenceId }),
      bench.create({ referenceId }, globex),
    ]);
    expect(must(one).userId).not.toBe(must(other).userId);
  });
});
