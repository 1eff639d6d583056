import { expect, test } from '@jest/globals';
import { usePipelineBench } from './testing.ts';
import { withdrawalsOn } from './testing-withdrawals.ts';

const bench = usePipelineBench();
const { createFunding } = withdrawalsOn(bench);

test('a process that stops before it asks the payer leaves no payer who may have been asked', async () => {
  const { users } = bench.deps;
  const { requested, providers } = createFunding({ request: () => ({ kind: 'accepted' }) });
  let stopping: Promise<void> | undefined;
  const keepPaymentMethod: typeof users.keepPaymentMethod = (...args) => {
    stopping ??= first.worker.stop();
    return users.keepPaymentMethod(...args);
  };
  const first = bench.start({ providers, users: { ...users, keepPaymentMethod } });
  const { correlationId } = await bench.accept(first);
  await bench.run(first);
  await stopping;
  expect(await bench.stored(correlationId)).toMatchObject({ phase: 'REQUEST_MONEY' });
  expect(requested).toEqual([]);
  await bench.run(bench.start({ providers }));
  const stored = await bench.stored(correlationId);
  expect(stored).toMatchObject({ status: 'SUCCEEDED' });
  expect(stored).not.toHaveProperty('payerMayHaveBeenAsked');
});
