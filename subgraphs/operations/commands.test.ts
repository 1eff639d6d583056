import { beforeAll, describe, expect, test } from '@jest/globals';
import { countCommands } from '../../test/support/count-commands.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import { newCorrelationId, useBench } from './testing.ts';

/*
 * The database's commands for status updates of operations. More commands than these need a reason: each is a round trip
 * (subgraphs/kernel/database/README.md).
 */

const bench = useBench('file');
let userId: string;
beforeAll(async () => {
  userId = await bench.newUser();
});

const counted = (operationId: string, status: string) =>
  countCommands(bench.database.connection, async () => {
    expect(await bench.update(operationId, { status })).toMatchObject({ ok: true });
  });

async function newOperation(): Promise<string> {
  const correlationId = newCorrelationId();
  expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
  return correlationId;
}

const entriesOf = (entityId: string) =>
  bench.database.connection.collection('journalEntries').countDocuments({ entityId });

describe('the journal entry of a status update', () => {
  test('is in the command of the other writes', async () => {
    const operationId = await newOperation();
    expect(await entriesOf(operationId)).toBe(0);
    const commands = await counted(operationId, 'Accepted');
    expect(commands).toEqual({ ...commands, bulkWrite: 1, commitTransaction: 1 });
    // The update posts nothing: the claim stays.
    expect(await counted(operationId, 'Funding')).toEqual(commands);
    expect(await entriesOf(operationId)).toBe(1);
  });

  test('is one command more on a server without bulkWrite', async () => {
    const { deps, database } = bench;
    const { transaction } = deps;
    deps.transaction = createTransactions(database.connection, { bulkWrite: false });
    const operationId = await newOperation();
    const [claim, none] = [await counted(operationId, 'Accepted'), await counted(operationId, 'Funding')];
    deps.transaction = transaction;
    expect(none['update operations']).toBe(1);
    expect(claim).toEqual({ ...none, 'insert journalEntries': 1 });
  });
});
