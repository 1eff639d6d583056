import { EventEmitter } from 'node:events';
import { describe, expect, test } from '@jest/globals';
import type { Connection } from 'mongoose';
import { faultOf } from './checks.ts';
import { HOT_QUERIES } from './hot-queries.ts';
import { createRecorder, kindOf, recordStatements, type Statement } from './record.ts';
import { stagesOf } from './stages.ts';

/** Reports commands as the driver does. */
function record(...commands: readonly [databaseName: string, command: object][]): Statement[] {
  const client = new EventEmitter();
  const recorder = createRecorder();
  // The cast: the recorder uses the name and the events of a connection.
  const connection = { name: 'own', getClient: () => client } as unknown as Connection;
  const stop = recordStatements(connection, recorder);
  for (const [databaseName, command] of commands) {
    client.emit('commandStarted', { databaseName, command });
  }
  stop();
  expect(client.listenerCount('commandStarted')).toBe(0);
  return [...recorder.statements.values()];
}

describe('Recorded statements', () => {
  test('are one of each kind, the last one, as explain takes it', () => {
    const find = (value: number) => ({
      find: 'things',
      filter: { accountId: value, $or: [{ at: 1 }, { at: 2, _id: 3 }] },
      sort: new Map([['at', -1]]),
      limit: 5,
      lsid: {},
      txnNumber: 1,
    });
    const [statement, ...others] = record(['own', find(1)], ['own', find(2)]);
    expect(others).toEqual([]);
    expect(statement).toMatchObject({ collection: 'things', command: 'find', sort: { at: -1 } });
    expect(kindOf(statement as Statement)).toBe('things find {accountId, $or(at, _id)} by at -1');
    const { lsid: _, txnNumber: __, ...explained } = find(2);
    expect(statement?.explained).toEqual(explained);
  });

  test('have each change of a bulkWrite over several collections, and none of its inserts', () => {
    const ops = [
      { insert: 0, document: { _id: 1 } },
      { update: 1, filter: { _id: 1, version: 2 }, updateMods: { $set: {} }, multi: false },
    ];
    const nsInfo = [{ ns: 'own.ones' }, { ns: 'own.others' }];
    expect(record(['admin', { bulkWrite: 1, ops, nsInfo }]).map(kindOf)).toEqual([
      'others update {_id, version}',
    ]);
  });

  test('leave out change streams, inserts, and other databases', () => {
    const statements = record(
      ['own', { aggregate: 'things', pipeline: [{ $changeStream: {} }] }],
      ['own', { insert: 'things', documents: [{}] }],
      ['admin', { find: 'things', filter: {} }],
      ['own', { aggregate: 'things', pipeline: [{ $match: { at: 1 } }, { $sort: { at: 1 } }] }],
    );
    expect(statements.map(kindOf)).toEqual(['things aggregate {at} by at 1']);
  });
});

const scan = { stage: 'FETCH', inputStage: { stage: 'IXSCAN', indexName: 'at_1' } };
const whole = { stage: 'COLLSCAN' };

describe('The stages of a plan', () => {
  test.each([
    ['of one server', { queryPlanner: { winningPlan: scan, rejectedPlans: [whole] } }],
    [
      'of the slot-based engine',
      { queryPlanner: { winningPlan: { queryPlan: scan, slotBasedPlan: whole } } },
    ],
    ['of an aggregate', { stages: [{ $cursor: { queryPlanner: { winningPlan: scan } } }, { $group: {} }] }],
    [
      'of a router',
      { queryPlanner: { winningPlan: { stage: 'SINGLE_SHARD', shards: [{ winningPlan: scan }] } } },
    ],
  ])('%s are found, and no others', (_where, explained) => {
    const stages = stagesOf(explained).map(({ stage, indexName }) => [stage, indexName]);
    expect(stages).toEqual(expect.arrayContaining([['IXSCAN', 'at_1']]));
    expect(stages.map(([stage]) => stage)).not.toContain('COLLSCAN');
  });

  test('are a fault when they read a growing collection as a whole, or sort without a bound', () => {
    const [statement] = record(['own', { find: 'events', filter: { at: 1 } }]) as [Statement];
    const plan = (winningPlan: object) => stagesOf({ queryPlanner: { winningPlan } });
    expect(faultOf(statement, plan(scan))).toBeUndefined();
    expect(faultOf(statement, plan(whole))).toContain('whole collection');
    expect(faultOf({ ...statement, collection: 'routes' }, plan(whole))).toBeUndefined();
    expect(faultOf(statement, plan({ stage: 'SORT', inputStage: scan }))).toContain('sorts');
    expect(faultOf(statement, plan({ stage: 'SORT', limitAmount: 20, inputStage: scan }))).toBeUndefined();
    expect(faultOf(statement, plan({ stage: 'SORT_MERGE', inputStages: [scan] }))).toBeUndefined();
    expect(() => faultOf(statement, stagesOf({ ok: 1 }))).toThrow('no plan');
  });
});

test('Names of hot queries are unique', () => {
  expect(new Set(HOT_QUERIES.map(({ name }) => name)).size).toBe(HOT_QUERIES.length);
});
