import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import mongoose, { type Connection } from 'mongoose';
import { createModels } from '../../gateway/app/models.ts';
import { findUniqueIssues, shardingOf } from '../../subgraphs/kernel/database/shard-keys.ts';
import { recordStatements } from './shard-routing.ts';
import { keysOf, readKeys, writeKeys } from './sharding-table.ts';

const declared = () => {
  const connection = mongoose.createConnection();
  createModels(connection);
  return connection;
};

describe('the shard keys', () => {
  test('are written in SHARDING.md as the models declare them', () => {
    const sharding = shardingOf(declared());
    if (process.env.SHARDING === 'write') {
      writeKeys(sharding);
    }
    expect(readKeys()).toEqual(keysOf(sharding));
  });

  test('begin every unique index of their collection, which MongoDB wants', () => {
    expect(findUniqueIssues(declared())).toEqual([]);
  });

  test('divide the documents of one account: none is the account alone', () => {
    expect(shardingOf(declared()).filter(({ key }) => key?.join() === 'accountId')).toEqual([]);
  });

  test('that do not begin a unique index are found', () => {
    const connection = declared();
    const schema = connection.model('MoneyRequest').schema;
    schema.index({ 'resolved.payerCode': 1 }, { unique: true });
    try {
      expect(findUniqueIssues(connection)).toEqual([
        'moneyRequests: unique index resolved.payerCode does not begin with accountId, referenceId',
      ]);
    } finally {
      schema.removeIndex({ 'resolved.payerCode': 1 });
    }
  });
});

describe('a statement reaches', () => {
  const keys = new Map([
    ['pets', ['accountId', 'name']],
    ['shops', undefined],
  ]);
  const reached = (name: string, command: object): string[] => {
    const client = new EventEmitter();
    const noted = recordStatements({ getClient: () => client } as unknown as Connection, keys);
    client.emit('commandStarted', { commandName: name, command });
    return [...noted.values()].map(({ command: kind, filter, reach }) => `${kind} ${filter}: ${reach}`);
  };
  const t = { accountId: 'a/sandbox' };

  test.each<[string, object, string[]]>([
    [
      'find',
      { find: 'pets', filter: { ...t, name: 'Rex', age: { $gt: 1 } } },
      ['find accountId, age <>, name: one key'],
    ],
    [
      'find',
      { find: 'pets', filter: { _id: 1, accountId: { $in: ['a', 'b'] } } },
      ['find _id, accountId in: one account'],
    ],
    ['find', { find: 'pets', filter: { name: 'Rex' } }, ['find name: every shard']],
    ['find', { find: 'pets', filter: { accountId: { $gt: 'a' } } }, ['find accountId <>: every shard']],
    ['find', { find: 'pets' }, ['find everything: every shard']],
    ['find', { find: 'shops', filter: { open: true } }, ['find open: one place']],
    [
      'find',
      {
        find: 'pets',
        filter: {
          $or: [
            { ...t, name: 'Rex' },
            { ...t, age: 1 },
          ],
        },
      },
      ['find (accountId, age or accountId, name): one account'],
    ],
    [
      'find',
      { find: 'pets', filter: { $and: [t, { $or: [{ name: 'Rex' }, { age: 1 }] }] } },
      ['find accountId, (age or name): one account'],
    ],
    [
      'aggregate',
      { aggregate: 'pets', pipeline: [{ $match: t }, { $count: 'n' }] },
      ['aggregate accountId: one account'],
    ],
    ['aggregate', { aggregate: 'pets', pipeline: [{ $group: {} }] }, ['aggregate everything: every shard']],
    [
      'update',
      {
        update: 'pets',
        updates: [
          { q: { _id: 1 }, u: {} },
          { q: t, u: {}, multi: true },
        ],
      },
      ['update _id: every shard', 'updateMany accountId: one account'],
    ],
    [
      'delete',
      { delete: 'pets', deletes: [{ q: { ...t, name: 'Rex' }, limit: 1 }] },
      ['delete accountId, name: one key'],
    ],
    ['findAndModify', { findAndModify: 'pets', query: { age: 1 } }, ['findAndModify age: every shard']],
    [
      'bulkWrite',
      {
        bulkWrite: 1,
        ops: [
          { insert: 0, document: {} },
          { update: 1, filter: { ...t, name: 'Rex' }, multi: false },
          { delete: 1, filter: { ...t, name: 'Max' }, multi: false },
        ],
        nsInfo: [{ ns: 'd.shops' }, { ns: 'd.pets' }],
      },
      ['update accountId, name: one key', 'delete accountId, name: one key'],
    ],
  ])('%s %j', (name, command, expected) => {
    expect(reached(name, command)).toEqual(expected);
  });
});
