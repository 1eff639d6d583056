import { beforeEach, expect, test } from '@jest/globals';
import { countCommands } from '../../../test/support/count-commands.ts';
import { declaredShardKeys, recordStatements, type Statement } from '../../../test/support/shard-routing.ts';
import { bodyFor, bodyOf, newReference, principal, useBench } from '../testing.ts';

/*
 * The database's commands for money requests. More commands than these need a reason: each is a round trip
 * (subgraphs/kernel/database/README.md).
 */

const bench = useBench();
let statements: ReadonlyMap<string, Statement> | undefined;
beforeEach(() => {
  statements ??= recordStatements(bench.database.connection, declaredShardKeys());
});
/** The documents that make values unique in an account. */
const countClaims = () => bench.database.connection.collection('uniqueValues').countDocuments();
const counted = (work: () => Promise<unknown>) => countCommands(bench.database.connection, work);

test('a create with an idempotency key, of a new user and of a known one', async () => {
  const referenceId = newReference();
  await bench.create(bodyOf(newReference()));
  const commands = {
    'find moneyRequests': 1,
    'find idempotencyKeys': 1,
    // Before the checks; the transaction only writes.
    'find users': 1,
    bulkWrite: 1,
    commitTransaction: 1,
  };
  const create = () => bench.create(bodyOf(referenceId), `key-${referenceId}`);
  const before = await countClaims();
  expect(await counted(create)).toEqual(commands);
  // The reference of the new user; it costs no command.
  expect(await countClaims()).toBe(before + 1);
  const createAnother = () => bench.create(bodyFor(`u-${referenceId}`), `another-${referenceId}`);
  expect(await counted(createAnother)).toEqual(commands);
  expect(await countClaims()).toBe(before + 1);
  // Answered from what is kept, which is read again in a transaction.
  expect(await counted(create)).toEqual({
    'find moneyRequests': 2,
    'find idempotencyKeys': 2,
    commitTransaction: 1,
  });
});

test('creates that come at once share their reads', async () => {
  const references = [newReference(), newReference(), newReference()];
  const createAll = () =>
    Promise.all(references.map((reference) => bench.create(bodyFor(`u-${reference}`), `key-${reference}`)));
  expect(await counted(createAll)).toMatchObject({
    'find moneyRequests': 1,
    'find idempotencyKeys': 1,
    'find users': 1,
    bulkWrite: 3,
    commitTransaction: 3,
  });
});

test('creates of one user that come at once: those that wait for the first are written in one transaction', async () => {
  const referenceId = newReference();
  await bench.create(bodyOf(referenceId));
  const createFive = async () => {
    const created = await Promise.all(
      Array.from({ length: 5 }, () => bench.create(bodyFor(`u-${referenceId}`))),
    );
    expect(new Set(created.map((result) => result.ok && result.value.moneyRequest.referenceId)).size).toBe(5);
  };
  expect(await counted(createFive)).toMatchObject({ bulkWrite: 2, commitTransaction: 2 });
});

test('a look-up', async () => {
  const referenceId = newReference();
  await bench.create(bodyOf(referenceId));
  const lookUp = async () => {
    expect(await bench.service.find(principal, referenceId)).toMatchObject({ value: { referenceId } });
  };
  expect(await counted(lookUp)).toEqual({ 'find moneyRequests': 1 });
});

test('a status update that makes the operation, and one that moves it', async () => {
  const referenceId = newReference();
  await bench.create(bodyOf(referenceId));
  const before = await countClaims();
  expect(await counted(() => bench.update(referenceId, { status: 'processing' }))).toEqual({
    // The first one finds the environment.
    'find moneyRequests': 2,
    'find users': 1,
    // By the new id.
    'find operations': 1,
    'find links': 1,
    'find uniqueValues': 1,
    bulkWrite: 1,
    commitTransaction: 1,
  });
  // The id and the code of the operation.
  expect(await countClaims()).toBe(before + 2);
  expect(await counted(() => bench.update(referenceId, { status: 'completed' }))).toEqual({
    'find moneyRequests': 2,
    'find users': 1,
    'find operations': 1,
    bulkWrite: 1,
    commitTransaction: 1,
  });
});

// Last: of all that the tests above have sent.
test('on a sharded cluster none of these reaches every shard', () => {
  // The bench empties its collections.
  const reached = [...(statements?.values() ?? [])].filter(({ filter }) => filter !== 'everything');
  expect(reached.filter(({ reach }) => reach === 'every shard')).toEqual([]);
  expect(reached.filter(({ reach }) => reach === 'one key').length).toBeGreaterThan(4);
});
