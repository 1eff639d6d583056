import { describe, expect, test } from '@jest/globals';
import { findUnserved, recordQueries } from '../../test/support/query-shapes.ts';
import { bodyOf, usePipelineBench } from './testing.ts';
import { remittanceVerdicts } from './use-cases/remittance-verdict.ts';

const bench = usePipelineBench();

const later = (seconds: number) => {
  bench.now = new Date(bench.now.getTime() + seconds * 1000);
};

describe('clocks', () => {
  test('a step that a clock has postponed which was an hour ahead is brought back to its schedule', async () => {
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(
      pipeline,
      bodyOf({ requester: { lastName: 'VALIDATORDOWN' } }),
    );
    later(3_600);
    await bench.run(pipeline);
    expect(await pipeline.bringBack()).toBe(0);
    later(-3_600);
    const queries = recordQueries(bench.database.connection);
    expect(await pipeline.bringBack()).toBe(1);
    expect(findUnserved(bench.database.connection, queries)).toEqual([]);
    const { nextAttemptAt } = await bench.stored(correlationId);
    expect(nextAttemptAt).toEqual(new Date(bench.now.getTime() + 5_000));
    later(5);
    await bench.run(pipeline);
    expect((await bench.stored(correlationId)).attempts).toBe(2);
  });

  test('a verdict has the times of a sandbox whose clock is ahead, as its other times', async () => {
    const accountClock = () => new Date(bench.now.getTime() + 86_400_000);
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(
      pipeline,
      bodyOf({ requester: { lastName: 'VALIDATORDOWN' } }),
    );
    await bench.run(pipeline);
    const { phaseSince, nextAttemptAt } = await bench.stored(correlationId);
    const { read } = remittanceVerdicts(pipeline, bench.deps.users, { clock: () => bench.now, accountClock });
    expect((await read('acme/sandbox', [correlationId])).get(correlationId)).toMatchObject({
      cause: 'RETRYING',
      since: new Date(phaseSince.getTime() + 86_400_000),
      actBy: new Date(nextAttemptAt.getTime() + 86_400_000),
    });
  });

  test('no step begins while the clock of the machine is wrong', async () => {
    let isRight = false;
    const pipeline = bench.start({ isClockRight: () => isRight });
    const { correlationId } = await bench.accept(pipeline, bodyOf());
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'IN_PROGRESS', version: 1, claims: 0 });
    isRight = true;
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
