import { describe, expect, test } from '@jest/globals';
import { recordIdentityChecks, usePipelineBench } from './testing.ts';

// Many steps on a database that is not the test's alone.

const bench = usePipelineBench();

describe('a remittance that a former version has left in CONTACT', () => {
  /** As it is once the transaction of CIP alone is committed, by a process that was killed then. */
  async function leaveInContact() {
    const acceptor = bench.start();
    await acceptor.worker.stop();
    const { correlationId } = await bench.accept(acceptor);
    await bench.database.connection
      .collection('remittances')
      .updateOne(
        { correlationId },
        { $set: { phase: 'CONTACT', version: 2, leaseToken: 'dead', nextAttemptAt: bench.now } },
      );
    return correlationId;
  }

  test('goes on from there, without another identity check', async () => {
    const correlationId = await leaveInContact();
    const { checked, providers } = recordIdentityChecks(bench.deps.providers);
    const pipeline = bench.start({ providers });
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED', version: 5 });
    expect(checked).toEqual([]);
    expect((await bench.moves(correlationId)).slice(1)).toEqual([
      '3 remittance.phase_changed IN_PROGRESS PAYMENT_METHOD',
      '4 remittance.phase_changed IN_PROGRESS REQUEST_MONEY',
      '5 remittance.succeeded SUCCEEDED REQUEST_MONEY',
    ]);
    expect(await bench.count('contacts')).toBe(1);
    expect(await bench.outcomes(correlationId)).toHaveLength(1);
    expect((await pipeline.stats()).steps).toMatchObject({ advanced: 3, succeeded: 1, failed: 0 });
  });

  test('fails there when its user has been blocked', async () => {
    const correlationId = await leaveInContact();
    await bench.database.connection.collection('users').updateMany({}, { $set: { blocked: true } });
    await bench.run(bench.start());
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      phase: 'CONTACT',
      version: 3,
    });
    expect(await bench.count('contacts')).toBe(0);
  });
});
