import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../subgraphs/kernel/database/open-database.ts';
import { openTestDatabase } from '../support/test-database.ts';
import type { Document, SpecFile, SpecTest } from './format.ts';
import { runFile } from './run.ts';

let database: Database;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function run(...tests: readonly SpecTest[]) {
  const databaseName = database.connection.name;
  const file: SpecFile = {
    name: 'own/things.json',
    createEntities: [
      { client: { id: 'client0' } },
      { database: { id: 'database0', client: 'client0', databaseName } },
      { collection: { id: 'collection0', database: 'database0', collectionName: 'things' } },
      { session: { id: 'session0', client: 'client0' } },
    ],
    initialData: [{ databaseName, collectionName: 'things', documents: [{ _id: 1, n: 1 }] }],
    tests,
  };
  return runFile(file, { uri: database.uri, version: '8.2.11' });
}

const on = (name: string, given: Document = {}, more: Document = {}) => ({
  name,
  object: 'collection0',
  arguments: given,
  ...more,
});
const left = (...documents: readonly Document[]) => [
  { databaseName: database.connection.name, collectionName: 'things', documents },
];

test('The runner passes tests whose results, errors and documents are those of the specification', async () => {
  const session = 'session0';
  const insert = { document: { _id: 2 }, session };
  const outcomes = await run(
    {
      description: 'a transaction',
      operations: [
        { name: 'startTransaction', object: session },
        on('insertOne', insert, { expectResult: { insertedId: 2 } }),
        on('find', { filter: {}, sort: { _id: 1 }, session }, { expectResult: [{ _id: 1 }, { _id: 2 }] }),
        { name: 'abortTransaction', object: session },
      ],
      outcome: left({ _id: 1, n: 1 }),
    },
    {
      description: 'a duplicate key',
      operations: [on('insertOne', { document: { _id: 1 } }, { expectError: { errorCode: 11_000 } })],
      outcome: left({ _id: 1, n: 1 }),
    },
    {
      description: 'a change stream',
      operations: [
        on('createChangeStream', { pipeline: [] }, { saveResultAsEntity: 'stream0' }),
        on('updateOne', { filter: { _id: 1 }, update: { $inc: { n: 1 } } }),
        {
          name: 'iterateUntilDocumentOrError',
          object: 'stream0',
          expectResult: { operationType: 'update', documentKey: { _id: 1 } },
        },
      ],
    },
  );
  expect(outcomes.filter(({ result }) => result !== 'passed')).toEqual([]);
  expect(outcomes).toHaveLength(3);
});

test('The runner reports other results, errors and documents', async () => {
  const outcomes = await run(
    { description: 'a result', operations: [on('countDocuments', { filter: {} }, { expectResult: 2 })] },
    { description: 'an error', operations: [on('insertOne', { document: { _id: 1 } })] },
    {
      description: 'no error',
      operations: [on('insertOne', { document: { _id: 2 } }, { expectError: { isError: true } })],
    },
    { description: 'documents', operations: [], outcome: left({ _id: 1 }) },
  );
  expect(outcomes.map(({ result }) => result)).toEqual(Array(4).fill('different'));
  expect(outcomes.map(({ reason }) => reason)).toEqual([
    'countDocuments: it is 1 instead of 2',
    expect.stringContaining('E11000'),
    expect.stringContaining('it succeeded, and should fail'),
    'documents left: [0] has n too',
  ]);
});

test('The runner leaves out what does not apply, with the reason', async () => {
  const outcomes = await run(
    { description: 'a', operations: [{ name: 'failPoint', object: 'testRunner' }] },
    { description: 'b', operations: [], runOnRequirements: [{ topologies: ['sharded'] }] },
    { description: 'c', operations: [], runOnRequirements: [{ minServerVersion: '9.0' }] },
    { description: 'd', operations: [], runOnRequirements: [{ maxServerVersion: '8.1.99' }] },
    { description: 'e', operations: [on('mapReduce')] },
    { description: 'f', operations: [], skipReason: 'no reason' },
    {
      description: 'g',
      operations: [],
      runOnRequirements: [{ minServerVersion: '8.2', topologies: ['replicaset'] }],
    },
  );
  expect(outcomes.map(({ result, reason }) => [result, reason])).toEqual([
    ['left out', 'it needs fail points'],
    ['left out', 'it needs routers or load balancers'],
    ['left out', 'it is for other versions, or for users with passwords'],
    ['left out', 'it is for other versions, or for users with passwords'],
    ['left out', 'the runner has no operation mapReduce'],
    ['left out', 'the specification skips it'],
    ['passed', undefined],
  ]);
});
