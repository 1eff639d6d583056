import { describe, expect, test } from '@jest/globals';
import { judgeMembers, judgeOplog, type SetConfig } from './cluster.ts';
import { judgeRoles, MIGRATION_ACTIONS, type Privilege, RUNTIME_ACTIONS } from './privileges.ts';

const member = (number: number, changes: Partial<SetConfig['members'][number]> = {}) => ({
  host: `db${number}:27017`,
  arbiterOnly: false,
  hidden: false,
  priority: 1,
  votes: 1,
  secondaryDelaySecs: 0,
  ...changes,
});
const MEMBERS = [member(1), member(2), member(3)];
const SOUND: SetConfig = { members: MEMBERS, writeConcernMajorityJournalDefault: true };

describe('the members of a replica set in production', () => {
  test('three of one kind are sound, and so is one in development', () => {
    expect(judgeMembers(SOUND, true)).toEqual([]);
    expect(judgeMembers({ members: [member(1)] }, false)).toEqual([]);
  });

  test.each<[string, SetConfig, RegExp[]]>([
    ['two members', { ...SOUND, members: [member(1), member(2)] }, [/has 2 members with data/]],
    [
      'an arbiter as the third',
      { ...SOUND, members: [member(1), member(2), member(3, { arbiterOnly: true, priority: 0 })] },
      [/has 2 members with data/, /an arbiter: db3:27017/],
    ],
    [
      'a delayed member that votes',
      {
        ...SOUND,
        members: [member(1), member(2), member(3, { secondaryDelaySecs: 3_600, priority: 0, hidden: true })],
      },
      [/A delayed member votes: db3:27017/, /Only 2 of its members can become primary: db1:27017, db2:27017/],
    ],
    [
      'a hidden member without a priority as the third',
      { ...SOUND, members: [member(1), member(2), member(3, { hidden: true, priority: 0 })] },
      [/Only 2 of its members can become primary/],
    ],
    [
      'acknowledgements before the journal',
      { ...SOUND, writeConcernMajorityJournalDefault: false },
      [/writeConcernMajorityJournalDefault is off/],
    ],
    [
      'chained replication among five',
      { ...SOUND, members: [...MEMBERS, member(4), member(5)], settings: { chainingAllowed: true } },
      [/chained replication/],
    ],
  ])('%s: a warning for each fault, with its fix', (_name, read, words) => {
    const findings = judgeMembers(read, true);
    expect(findings.map(({ what }) => what)).toEqual(words.map((one) => expect.stringMatching(one)));
    expect(findings.every(({ status, fix }) => status === 'warning' && fix)).toBe(true);
  });

  test('a delayed member without a vote beside three others is sound', () => {
    const delayed = member(4, { secondaryDelaySecs: 3_600, priority: 0, votes: 0, hidden: true });
    const read = { ...SOUND, members: [...MEMBERS, delayed], settings: { chainingAllowed: false } };
    expect(judgeMembers(read, true)).toEqual([]);
  });
});

describe('the oplog', () => {
  test.each([
    ['full after 20 hours', 20, 0.99, 'warning'],
    ['full after 3 days', 72, 0.99, 'ok'],
    ['young', 0.5, 0.01, 'ok'],
  ])('that is %s', (_name, hours, fill, status) => {
    const found = judgeOplog({ first: 1_000, last: 1_000 + hours * 3_600, fill });
    expect(found.status).toBe(status);
    expect(found.fix === undefined).toBe(status === 'ok');
  });
});

describe('the account', () => {
  const on = (db: string, actions: readonly string[], collection = ''): Privilege => ({
    resource: { db, collection },
    actions,
  });
  const runtime = { MIGRATE_ON_START: false };
  const migrating = { MIGRATE_ON_START: true };
  const all = [...RUNTIME_ACTIONS, ...MIGRATION_ACTIONS];

  test.each<[string, Privilege[], { MIGRATE_ON_START: boolean }, string, RegExp]>([
    [
      'the least of a runtime account',
      [on('pay', RUNTIME_ACTIONS)],
      runtime,
      'ok',
      /may do what servers need/,
    ],
    ['the least of one that migrates', [on('pay', all)], migrating, 'ok', /may do/],
    [
      'a runtime account that must migrate',
      [on('pay', RUNTIME_ACTIONS)],
      migrating,
      'failure',
      /lacks .*pay: createCollection, createIndex/,
    ],
    [
      'rights on another database',
      [on('other', all)],
      runtime,
      'failure',
      /lacks .*: find, insert, update, remove, changeStream/,
    ],
    ['rights on one collection', [on('pay', all, 'users')], runtime, 'failure', /lacks/],
    [
      'a reader',
      [on('pay', ['find', 'listCollections', 'listIndexes', 'changeStream'])],
      runtime,
      'failure',
      /lacks .*: insert, update, remove\./,
    ],
    ['rights on all databases', [on('', all)], runtime, 'ok', /may do/],
    ['an owner', [on('pay', [...all, 'dropDatabase'])], runtime, 'warning', /may drop the database pay/],
    ['root', [{ resource: { anyResource: true }, actions: ['anyAction'] }], runtime, 'warning', /may drop/],
  ])('%s', (_name, privileges, config, status, words) => {
    const found = judgeRoles(privileges, 'pay', config);
    expect([found.status, found.what]).toEqual([status, expect.stringMatching(words)]);
    expect(found.fix === undefined).toBe(status === 'ok');
  });
});
