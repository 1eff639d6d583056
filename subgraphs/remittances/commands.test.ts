import { expect, test } from '@jest/globals';
import { countCommands } from '../../test/support/count-commands.ts';
import { declaredShardKeys, recordStatements, type Statement } from '../../test/support/shard-routing.ts';
import { until } from '../../test/support/until.ts';
import { bodyOf, usePipelineBench } from './testing.ts';

/*
 * The database's commands for atomic calls. More commands than these need a reason: each is a round trip, and they bound how many
 * calls a process carries (subgraphs/kernel/database/README.md).
 */

const bench = usePipelineBench();

test('an atomic call of a new user, from acceptance to outcome', async () => {
  const pipeline = bench.start();
  await bench.accept(pipeline, bodyOf());
  await bench.run(pipeline);
  const { connection } = bench.database;
  let correlationId = '';
  const countClaims = () => connection.collection('uniqueValues').countDocuments();
  const before = await countClaims();
  const statements = recordStatements(connection, declaredShardKeys());
  const counts = await countCommands(connection, async () => {
    const accepted = await bench.accept(
      pipeline,
      bodyOf({ requester: { phoneNumber: '+525512345679', email: 'eva@acme.test' } }),
    );
    correlationId = accepted.correlationId;
    await until('its end', () => pipeline.steps().succeeded === 2);
  });
  const reached = [...statements.values()];
  // The ids of the call, the phone number and the email of the user, the code of the operation: in the same writes.
  expect(await countClaims()).toBe(before + 4);
  expect((await bench.stored(correlationId)).status).toBe('SUCCEEDED');
  const { 'aggregate remittances': _asked, ...own } = counts;
  expect(own).toEqual({
    // Acceptance: who has the phone number or the email, and whether that user may transact.
    'find users': 1,
    'find contacts': 1,
    'find paymentMethods': 1,
    // Acceptance, and the three phases that call a provider.
    bulkWrite: 4,
    commitTransaction: 4,
  });
  // On a sharded cluster each names its tenant.
  const isOwn = ({ command }: Statement) => command !== 'aggregate';
  expect(reached.filter(({ reach }) => reach === 'every shard').filter(isOwn)).toEqual([]);
  expect(reached.filter(({ reach }) => reach === 'one key').length).toBeGreaterThan(2);
});
