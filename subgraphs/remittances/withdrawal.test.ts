import { describe, expect, test } from '@jest/globals';
import type { WithdrawalAnswer } from '../providers/types.ts';
import { usePipelineBench } from './testing.ts';
import { DAY, LOST, NOT_SENT, withdrawalsOn } from './testing-withdrawals.ts';

const bench = usePipelineBench();
const { later, createFunding, runSchedule, outcomesOf, adviceOn } = withdrawalsOn(bench);

describe('a request whose every answer is lost', () => {
  test.each([
    ['cancelled', 'CANCELLED'],
    ['not_found', 'NOT_FOUND'],
  ] as const)(
    'fails when it is withdrawn (%s), and only then the advice is to request again',
    async (kind, status) => {
      let isKnown = false;
      const { requested, cancelled, providers } = createFunding({
        cancel: () => (isKnown ? { kind } : LOST),
      });
      const pipeline = bench.start({ providers });
      const { correlationId } = await bench.accept(pipeline);
      await bench.run(pipeline);
      expect(await bench.stored(correlationId)).toMatchObject({
        status: 'IN_PROGRESS',
        payerMayHaveBeenAsked: true,
        lastError: { message: LOST.reason },
      });
      expect(await adviceOn(pipeline, correlationId)).toMatchObject({
        nextAction: 'WAIT',
        cause: 'RETRYING',
      });
      await runSchedule(pipeline);
      expect(await bench.stored(correlationId)).toMatchObject({
        status: 'IN_PROGRESS',
        withdrawal: { status: 'PENDING', cause: { message: LOST.reason } },
      });
      expect(await adviceOn(pipeline, correlationId)).toEqual({
        step: 'REQUEST_MONEY',
        nextAction: 'CONTACT_SUPPORT',
        cause: 'WITHDRAWING',
        message: expect.stringContaining('Do not request the money again'),
      });
      expect(await bench.outcomes(correlationId)).toEqual([]);
      isKnown = true;
      later(5);
      await bench.run(pipeline);
      const stored = await bench.stored(correlationId);
      expect(stored).toMatchObject({
        status: 'FAILED',
        payerMayHaveBeenAsked: true,
        withdrawal: { status },
        lastError: { code: 'ERROR_INTERNAL_SERVER_ERROR', message: expect.stringContaining(LOST.reason) },
      });
      for (const gone of ['isOpen', 'isAsking', 'private', 'leaseToken']) {
        expect(stored).not.toHaveProperty(gone);
      }
      expect(await adviceOn(pipeline, correlationId)).toEqual({
        step: 'REQUEST_MONEY',
        nextAction: 'REQUEST_AGAIN',
        cause: 'WITHDRAWN',
        message: expect.stringContaining('safe to request the money again'),
      });
      expect(await outcomesOf(correlationId)).toEqual([
        { status: 'Failed', errorCode: 'ERROR_INTERNAL_SERVER_ERROR', reason: stored.lastError?.message },
      ]);
      const key = `acme/sandbox:${correlationId}:REQUEST_MONEY`;
      expect([requested, cancelled]).toEqual([Array(5).fill(key), [key, key]]);
      await runSchedule(pipeline);
      expect([requested.length, cancelled.length]).toEqual([5, 2]);
    },
  );

  test('is an operation when the payer has paid', async () => {
    const { providers } = createFunding({ cancel: () => ({ kind: 'already_paid' }) });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    const stored = await bench.stored(correlationId);
    expect(stored).toMatchObject({ status: 'SUCCEEDED', withdrawal: { status: 'ALREADY_PAID' } });
    expect(stored).not.toHaveProperty('lastError');
    expect(await bench.count('operations', { operationId: correlationId, status: 'Sent' })).toBe(1);
    expect(await outcomesOf(correlationId)).toMatchObject([{ status: 'Accepted' }]);
  });

  test('fails after the schedule while nobody knows, and a payment found later is a second outcome', async () => {
    let answer: WithdrawalAnswer = LOST;
    const { cancelled, providers } = createFunding({ cancel: () => answer });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    await runSchedule(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      withdrawal: { status: 'PENDING', attempts: 5 },
    });
    const [failed] = await outcomesOf(correlationId);
    expect(failed).toEqual({
      status: 'Failed',
      errorCode: 'ERROR_INTERNAL_SERVER_ERROR',
      reason: expect.stringContaining('The payer may have been asked'),
    });
    expect(failed?.reason).not.toContain('new id');
    expect(await adviceOn(pipeline, correlationId)).toMatchObject({
      nextAction: 'CONTACT_SUPPORT',
      cause: 'PAYER_MAY_HAVE_BEEN_ASKED',
    });
    expect((await pipeline.stats()).phases.REQUEST_MONEY.inProgress).toBe(0);
    later(600);
    await bench.run(pipeline);
    expect(cancelled).toHaveLength(6);
    answer = { kind: 'already_paid' };
    later(600);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await outcomesOf(correlationId)).map(({ status }) => status)).toEqual(['Failed', 'Accepted']);
    expect(await bench.count('operations', { operationId: correlationId })).toBe(1);
    expect((await bench.moves(correlationId)).at(-1)).toContain('remittance.succeeded SUCCEEDED');
  });

  test('is not asked about any more after 72 hours, and one that is withdrawn late has no second outcome', async () => {
    const answers = new Map<string, WithdrawalAnswer>();
    const { requested, cancelled, providers } = createFunding({
      cancel: (nth) => answers.get(cancelled[nth - 1] ?? '') ?? LOST,
    });
    const pipeline = bench.start({ providers });
    const unknown = (await bench.accept(pipeline)).correlationId;
    const late = (await bench.accept(pipeline)).correlationId;
    await runSchedule(pipeline);
    await runSchedule(pipeline);
    answers.set(`acme/sandbox:${late}:REQUEST_MONEY`, { kind: 'cancelled' });
    later(600);
    await bench.run(pipeline);
    expect(await bench.stored(late)).toMatchObject({
      status: 'FAILED',
      withdrawal: { status: 'CANCELLED' },
      lastError: { message: expect.stringContaining('safe to request') },
    });
    expect(await outcomesOf(late)).toHaveLength(1);
    later(3 * DAY);
    await bench.run(pipeline);
    const calls = cancelled.length;
    const stored = await bench.stored(unknown);
    expect(stored).toMatchObject({ status: 'FAILED', withdrawal: { status: 'UNKNOWN' } });
    expect((await pipeline.stats()).asked).toEqual({ retrying: 0, withdrawing: 0, unknown: 1 });
    expect(stored).not.toHaveProperty('isOpen');
    expect(await adviceOn(pipeline, unknown)).toMatchObject({ nextAction: 'CONTACT_SUPPORT' });
    later(DAY);
    await bench.run(pipeline);
    expect([requested.length, cancelled.length]).toEqual([10, calls]);
    expect(await outcomesOf(unknown)).toHaveLength(1);
  });
});

describe('certain outcomes', () => {
  test('a provider that never got a call is not asked to withdraw, and the real reason stays', async () => {
    const { cancelled, providers } = createFunding({ request: () => NOT_SENT });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    const stored = await bench.stored(correlationId);
    expect(stored).toMatchObject({ status: 'FAILED', lastError: { message: NOT_SENT.reason } });
    expect(stored).not.toHaveProperty('payerMayHaveBeenAsked');
    expect(cancelled).toEqual([]);
    expect(await adviceOn(pipeline, correlationId)).toMatchObject({ nextAction: 'REQUEST_AGAIN' });
  });

  test('one lost answer among refused connections is enough', async () => {
    const { cancelled, providers } = createFunding({ request: (nth) => (nth === 2 ? LOST : NOT_SENT) });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      payerMayHaveBeenAsked: true,
      failures: [{}, { payerMayHaveBeenAsked: true }, {}, {}, {}],
    });
    expect(cancelled).toHaveLength(1);
  });

  test.each(['ERROR_CONTACT_NOT_FOUND', 'ERROR_OPERATION_ALREADY_COMPLETED'] as const)(
    'a refusal after a lost answer (%s) says nothing of the first call: the request is withdrawn',
    async (code) => {
      let cancelled: WithdrawalAnswer = LOST;
      const { providers } = createFunding({
        request: (nth) => (nth === 1 ? LOST : { kind: 'rejected', code, reason: 'Duplicate request.' }),
        cancel: () => cancelled,
      });
      const pipeline = bench.start({ providers });
      const { correlationId } = await bench.accept(pipeline);
      await bench.run(pipeline);
      later(5);
      await bench.run(pipeline);
      expect(await bench.stored(correlationId)).toMatchObject({
        status: 'IN_PROGRESS',
        withdrawal: { status: 'PENDING', cause: { code } },
      });
      expect(await adviceOn(pipeline, correlationId)).toMatchObject({ nextAction: 'CONTACT_SUPPORT' });
      cancelled = { kind: 'not_found' };
      later(5);
      await bench.run(pipeline);
      expect(await bench.stored(correlationId)).toMatchObject({
        status: 'FAILED',
        withdrawal: { status: 'NOT_FOUND' },
        lastError: { code },
      });
    },
  );

  test('a refusal after attempts that reached nobody leaves no mark of a call', async () => {
    const { cancelled, providers } = createFunding({
      request: (nth) =>
        nth === 1 ? NOT_SENT : { kind: 'rejected', code: 'ERROR_CONTACT_NOT_FOUND', reason: 'No.' },
    });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await runSchedule(pipeline);
    const stored = await bench.stored(correlationId);
    expect(stored).toMatchObject({ status: 'FAILED', lastError: { code: 'ERROR_CONTACT_NOT_FOUND' } });
    expect(stored).not.toHaveProperty('isAsking');
    expect(stored).not.toHaveProperty('payerMayHaveBeenAsked');
    expect(cancelled).toEqual([]);
  });
});
