import { expect, test } from '@jest/globals';
import { DOCUMENTED, usePipelineBench } from './testing.ts';

const bench = usePipelineBench();

test('an answer that the last attempt could not save is logged, with the key that the provider knows it by', async () => {
  const warnings: object[] = [];
  const pipeline = bench.start({
    users: {
      ...bench.deps.users,
      requireUnblocked: () => {
        throw new Error('The database is full');
      },
    },
    log: { ...bench.deps.log, warn: (line: object) => void warnings.push(line) },
  });
  const { correlationId } = await bench.accept(pipeline);
  await bench.run(pipeline);
  for (const seconds of DOCUMENTED.retrySeconds) {
    expect(warnings).toEqual([]);
    bench.now = new Date(bench.now.getTime() + seconds * 1000);
    await bench.run(pipeline);
  }
  expect(await bench.stored(correlationId)).toMatchObject({ status: 'FAILED', phase: 'CIP', attempts: 5 });
  const idempotencyKey = `acme/sandbox:${correlationId}:CIP`;
  expect(warnings).toEqual([
    { accountId: 'acme/sandbox', correlationId, phase: 'CIP', answer: 'accepted', idempotencyKey },
  ]);
});
