import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries, type StoreQuery } from '../../../test/support/query-shapes.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { createBlindIndex } from '../../kernel/crypto/blind-index.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import type { Database } from '../../kernel/database/open-database.ts';
import { createUsersModels } from '../store/model.ts';
import { acme, type Bench, createBench, FRIEND, globex, START } from '../testing.ts';
import { createUserErasure } from './erase-user.ts';
import { contactsByPhone, searchContacts, searchUsers } from './search-users.ts';

const box = createBox(randomBytes(32));
let store: Database;
let bench: Bench;
let queries: readonly StoreQuery[];
beforeAll(async () => {
  store = await openTestDatabase();
  bench = await createBench(store, { box, blindIndex: createBlindIndex(randomBytes(32)) });
  queries = recordQueries(store.connection);
});
afterAll(() => store.close());

const find = async (text: string, { by = acme, first = 20 } = {}) =>
  (await searchUsers(bench.deps).search(by, text, first)).map(({ id, matchedBy }) => `${id} ${matchedBy}`);

describe('A user is found by name', () => {
  test.each([
    ['José', 'Nuñez', ['josé', 'JOSE NUÑEZ', 'nunez jose', 'Jose\u0301', 'Nuñez,\u00a0José']],
    ['Jean-Luc', "O'Rourke", ['luc', 'jean luc', 'Luc-Jean', 'ORourke', 'o’rourke JEAN']],
    ['Ольга', 'Петрова', ['ольга', 'ПЕТРОВА Ольга']],
    ['山田', '太郎', ['山田', '太郎 山田']],
    ['فاطمة', 'محمّد', ['محمد', 'فاطمة محمد']],
    ['Q', 'Zimmermann', ['q', 'Q Zimmermann', 'zimmermann q']],
  ])('%s %s, as people write it', async (firstName, lastName, texts) => {
    const id = await bench.newUser({ firstName, lastName });
    for (const text of texts) {
      expect([text, await find(text)]).toEqual([text, [`${id} NAME`]]);
    }
  });

  test('if the names have all words of the text, whole', async () => {
    const names = { firstName: 'Rosalinda', middleName: 'del Carmen', lastName: 'Wu', lastName2: 'Li' };
    const id = await bench.newUser(names);
    expect(await find('li wu carmen rosalinda')).toEqual([`${id} NAME`]);
    for (const text of [
      'rosalind',
      'rosalinda wong',
      'carmen wu x',
      'Rosalinda1',
      'rosalinda@wu',
      '%',
      '.*',
    ]) {
      expect([text, await find(text)]).toEqual([text, []]);
    }
  });

  test('newest first, at most as many as are wanted', async () => {
    const ids: string[] = [];
    for (const offset of [0, 1, 2]) {
      bench.now = new Date(START.getTime() + offset * 1_000);
      ids.unshift(await bench.newUser({ firstName: 'Hermenegilda' }));
    }
    bench.now = START;
    expect(await find('hermenegilda')).toEqual(ids.map((id) => `${id} NAME`));
    expect(await find('Ruiz Hermenegilda', { first: 2 })).toEqual(ids.slice(0, 2).map((id) => `${id} NAME`));
  });

  test('only in its own account', async () => {
    await bench.newUser({ firstName: 'Xochitl' });
    expect(await find('xochitl', { by: globex })).toEqual([]);
    expect(await find('xochitl', { by: { ...acme, accountId: 'acme/live' } })).toEqual([]);
    expect(await find('xochitl')).toHaveLength(1);
  });

  test('once a profile is completed', async () => {
    const accountId = 'acme/sandbox' as const;
    const { userId } = await bench.transaction((unit) =>
      bench.port.ensureByReference({ accountId, referenceId: 'late-name', profile: {} }, unit),
    );
    const stored = () => createUsersModels(store.connection).users.findById(userId).lean();
    expect(await stored()).not.toHaveProperty('nameKeys');
    const profile = { firstName: 'Tláloc', lastName: 'Pérez' };
    await bench.transaction((unit) =>
      bench.port.completeProfile({ accountId, userId, profile, at: START }, unit),
    );
    expect(await find('tlaloc')).toEqual([`${userId} NAME`]);
    expect(JSON.stringify(await stored())).not.toMatch(/tl[aá]loc|p[eé]rez/i);
  });

  test('never after an erasure', async () => {
    const id = await bench.newUser({ firstName: 'Citlali' });
    expect(await find('citlali')).toEqual([`${id} NAME`]);
    const erasure = createUserErasure({
      ...bench.deps,
      connection: store.connection,
      box,
      sources: [],
    });
    const erased = await erasure.erase(
      { accountId: 'acme/sandbox', userId: id },
      { reason: 'Request 4711' },
      { kind: 'OPERATOR' },
    );
    expect(erased).toMatchObject({ ok: true });
    expect(await find('citlali')).toEqual([]);
    expect(await createUsersModels(store.connection).users.findById(id).lean()).not.toHaveProperty(
      'nameKeys',
    );
  });
});

describe('A phone number finds', () => {
  test.each(['+52 55 9999 0001', '0052-55-9999-0001', '(55) 9999 0001', '5559990001'])(
    'nobody by %p before there is such a user',
    async (text) => {
      expect(await find(text)).toEqual([]);
    },
  );

  test('the user and the contacts with it, in any spelling', async () => {
    const id = await bench.newUser({ phoneNumber: '+525599990001' });
    await bench.service.createContact(acme, id, FRIEND);
    for (const text of [
      '+52 55 9999 0001',
      '0052-55-9999-0001',
      '(55) 9999 0001',
      '\u202a5599990001\u202c',
    ]) {
      expect([text, await find(text)]).toEqual([text, [`${id} PHONE_NUMBER`]]);
    }
    const contacts = await searchContacts(bench.deps).search(acme, '001 312-555-0188', 5);
    expect(contacts).toMatchObject([{ matchedBy: 'PHONE_NUMBER' }]);
    const [contact] = await contactsByPhone(bench.deps, 'acme/sandbox', '(312) 555 0188', 5);
    expect(contact).toEqual({ contactId: contacts[0]?.id, userId: id });
    expect(await contactsByPhone(bench.deps, 'globex/sandbox', '+13125550188', 5)).toEqual([]);
  });
});

test('A declared index serves every look-up', () => {
  expect(queries.some(({ method }) => method === 'aggregate')).toBe(true);
  expect(findUnserved(store.connection, queries)).toEqual([]);
});
