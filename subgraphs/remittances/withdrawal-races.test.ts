import { describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import type { AccountId } from '../kernel/account.ts';
import type { WithdrawalAnswer } from '../providers/types.ts';
import { createAskedRemittances } from './index.ts';
import { createRemittanceModel } from './store/model.ts';
import { createRemittanceRepository } from './store/remittance-repository.ts';
import { bodyOf, DOCUMENTED, usePipelineBench } from './testing.ts';
import { LOST, NOT_SENT, withdrawalsOn } from './testing-withdrawals.ts';
import { retryRemittance } from './use-cases/operate-remittance.ts';

const bench = usePipelineBench();
const { later, createFunding, runSchedule, outcomesOf } = withdrawalsOn(bench);

const resume = (of: { accountId: AccountId; correlationId: string }) => {
  const remittances = createRemittanceRepository(createRemittanceModel(bench.database.connection));
  const operatorLog = { append: () => undefined };
  const by = { source: 'COMMAND', actor: 'ana' } as const;
  return retryRemittance({ ...bench.deps, remittances, operatorLog }, { ...of, by });
};

describe('a user who is blocked', () => {
  const block = (userId: string) =>
    bench.database.connection
      .collection<{ _id: string }>('users')
      .updateOne({ _id: userId }, { $set: { blocked: true } });

  test('after a lost answer, has the request withdrawn before the remittance fails', async () => {
    const { requested, cancelled, providers } = createFunding({});
    const pipeline = bench.start({ providers });
    const { correlationId, userId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    await block(userId);
    later(5);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      withdrawal: { status: 'CANCELLED' },
      lastError: {
        code: 'ERROR_INVALID_OPERATION',
        message: expect.stringContaining('The user is blocked.'),
      },
    });
    expect([requested.length, cancelled.length]).toEqual([1, 1]);
  });

  test('while the payer is asked, has the request withdrawn too', async () => {
    const blocked: Promise<unknown>[] = [];
    let userId = '';
    const { cancelled, providers } = createFunding({
      request: async () => {
        blocked.push(block(userId));
        await Promise.all(blocked);
        return { kind: 'accepted' };
      },
    });
    const acceptor = bench.start({ providers });
    await acceptor.worker.stop();
    const accepted = await bench.accept(acceptor);
    userId = accepted.userId;
    await bench.run(bench.start({ providers }));
    expect(await bench.stored(accepted.correlationId)).toMatchObject({
      status: 'FAILED',
      payerMayHaveBeenAsked: true,
      withdrawal: { status: 'CANCELLED' },
    });
    expect(cancelled).toHaveLength(1);
    expect(await bench.count('operations')).toBe(0);
  });
});

test('a process that dies while it calls leaves a payer who may have been asked', async () => {
  let calls = 0;
  const dying = bench.start({
    providers: createFunding({
      request: () => {
        calls += 1;
        return new Promise(() => undefined);
      },
    }).providers,
  });
  const { correlationId } = await bench.accept(dying);
  await dying.worker.sweep();
  await until('the call', () => calls === 1);
  later(DOCUMENTED.leaseSeconds);
  const { cancelled, providers } = createFunding({ request: () => NOT_SENT });
  const next = bench.start({ providers });
  await runSchedule(next);
  expect(await bench.stored(correlationId)).toMatchObject({
    status: 'FAILED',
    payerMayHaveBeenAsked: true,
    withdrawal: { status: 'CANCELLED' },
  });
  expect(cancelled).toHaveLength(1);
});

test('a worker that has too little of its lease left asks nobody', async () => {
  const { requested, providers } = createFunding({ request: (nth) => (nth === 1 ? NOT_SENT : LOST) });
  const { users } = bench.deps;
  const pipeline = bench.start({
    providers,
    users: {
      ...users,
      accountState: (...of) => {
        later(stalledSeconds);
        return users.accountState(...of);
      },
    },
  });
  let stalledSeconds = 0;
  const { correlationId } = await bench.accept(pipeline);
  await bench.run(pipeline);
  expect(requested).toHaveLength(1);
  later(5);
  stalledSeconds = DOCUMENTED.leaseSeconds - 9;
  await pipeline.worker.sweep();
  await until('given back', () => pipeline.steps().released === 1);
  expect(requested).toHaveLength(1);
  stalledSeconds = 0;
  await bench.run(pipeline);
  expect(requested).toHaveLength(2);
  expect(await bench.stored(correlationId)).toMatchObject({ status: 'IN_PROGRESS' });
});

test('two workers withdraw with one effect', async () => {
  const { providers } = createFunding({ cancel: (nth) => (nth < 8 ? LOST : { kind: 'already_paid' }) });
  const workers = [bench.start({ providers }), bench.start({ providers })] as const;
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => (await bench.accept(workers[0])).correlationId),
  );
  await until('all of them', async () => {
    later(600);
    await Promise.all(workers.map(bench.run));
    return (await bench.count('remittances', { status: 'SUCCEEDED' })) === ids.length;
  });
  for (const id of ids) {
    expect(await bench.count('operations', { operationId: id })).toBe(1);
    expect((await outcomesOf(id)).filter(({ status }) => status === 'Accepted')).toHaveLength(1);
  }
});

describe('an operator', () => {
  test('resumes one of which nobody knows, under the same key', async () => {
    let isBack = false;
    const { requested, providers } = createFunding({
      request: () => (isBack ? { kind: 'accepted' } : LOST),
      cancel: () => LOST,
    });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    const of = { accountId: 'acme/sandbox' as const, correlationId };
    expect(await resume(of)).toMatchObject({ failures: [{ code: 'INVALID_TRANSITION' }] });
    await runSchedule(pipeline);
    await runSchedule(pipeline);
    isBack = true;
    expect(await resume(of)).toMatchObject({ ok: true });
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await outcomesOf(correlationId)).map(({ status }) => status)).toEqual(['Failed', 'Accepted']);
    expect(new Set(requested).size).toBe(1);
    expect(await resume(of)).toMatchObject({ failures: [{ code: 'INVALID_TRANSITION' }] });
  });
});

test('an operator cannot resume while the provider is asked to withdraw: its answer counts', async () => {
  const answers: ((answer: WithdrawalAnswer) => void)[] = [];
  let isHeld = false;
  const { requested, providers } = createFunding({
    cancel: () => (isHeld ? new Promise((resolve) => answers.push(resolve)) : LOST),
  });
  const pipeline = bench.start({ providers });
  const { correlationId } = await bench.accept(pipeline);
  await runSchedule(pipeline);
  await runSchedule(pipeline);
  isHeld = true;
  later(600);
  await pipeline.worker.sweep();
  await until('the call', () => answers.length === 1);
  expect(await resume({ accountId: 'acme/sandbox', correlationId })).toMatchObject({
    failures: [{ code: 'INVALID_TRANSITION', message: expect.stringContaining('Try again later') }],
  });
  answers[0]?.({ kind: 'cancelled' });
  await until('the end', () => pipeline.steps().inFlight === 0);
  expect(await bench.stored(correlationId)).toMatchObject({
    status: 'FAILED',
    withdrawal: { status: 'CANCELLED' },
  });
  expect(requested).toHaveLength(5);
});

describe('a status that the back end reports', () => {
  const report = (correlationId: string, isOver = false) =>
    bench.deps.transaction(async (unit) => {
      const { connection } = bench.database;
      const of = { accountId: 'acme/sandbox' as const, operationId: correlationId, at: bench.now };
      const asked = await createAskedRemittances({ ...bench.deps, connection }).find(of, unit);
      if (asked) {
        await bench.deps.operations.request(await asked.conclude(isOver), unit);
      }
      return asked !== undefined;
    });

  test('ends a remittance whose payer may have been asked, whatever its withdrawal says', async () => {
    const { providers } = createFunding({ cancel: () => LOST });
    const pipeline = bench.start({ providers });
    const waiting = await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await report(waiting.correlationId)).toBe(true);
    const failed = await bench.accept(pipeline);
    await runSchedule(pipeline);
    await runSchedule(pipeline);
    expect(await report(failed.correlationId)).toBe(true);
    for (const { correlationId } of [waiting, failed]) {
      const stored = await bench.stored(correlationId);
      expect(stored).toMatchObject({ status: 'SUCCEEDED', payerMayHaveBeenAsked: true });
      expect(stored).not.toHaveProperty('isOpen');
      expect(await bench.count('operations', { operationId: correlationId })).toBe(1);
    }
    expect((await outcomesOf(failed.correlationId)).map(({ status }) => status)).toEqual([
      'Failed',
      'Accepted',
    ]);
  });

  test.each([
    ['leaves the outcome of a failed one as it is when it has ended without a payment', true, ['Failed']],
    ['sends a second outcome of a failed one that goes on', false, ['Failed', 'Accepted']],
  ] as const)('%s', async (_title, isOver, outcomes) => {
    const { providers } = createFunding({ cancel: () => LOST });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    await runSchedule(pipeline);
    expect(await report(correlationId, isOver)).toBe(true);
    expect((await outcomesOf(correlationId)).map(({ status }) => status)).toEqual(outcomes);
    expect(await bench.count('operations', { operationId: correlationId })).toBe(1);
    expect(await bench.stored(correlationId)).toMatchObject({
      withdrawal: { status: isOver ? 'CANCELLED' : 'ALREADY_PAID' },
    });
  });

  test('finds no remittance whose payer was not asked', async () => {
    const { providers } = createFunding({ request: () => NOT_SENT });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(
      pipeline,
      bodyOf({ requester: { lastName: 'VALIDATORDOWN' } }),
    );
    await bench.run(pipeline);
    expect(await report(correlationId)).toBe(false);
    const refused = await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await report(refused.correlationId)).toBe(false);
    expect(await report('unknown')).toBe(false);
  });
});
