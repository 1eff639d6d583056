import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import { createOperatorLog, type OperatorLog } from '../partners/operator-log/index.ts';
import { createOperatorLogModel } from '../partners/operator-log/model.ts';
import type { Unavailable } from '../providers/types.ts';
import {
  createOperatorRemittances,
  type OperatorRemittance,
  type OperatorRemittances,
} from './operator-remittances.ts';
import { bodyOf, START, usePipelineBench } from './testing.ts';
import { NOT_SENT, withdrawalsOn } from './testing-withdrawals.ts';

const bench = usePipelineBench();
const { later, createFunding, runSchedule, outcomesOf, adviceOn } = withdrawalsOn(bench);
const ANA = { source: 'CONSOLE', actor: 'Ana', sessionId: 'cse_1' } as const;
const BOB = { source: 'COMMAND', actor: 'bob', host: 'ops-1' } as const;

let operatorLog: OperatorLog;
let operators: OperatorRemittances;

beforeEach(() => {
  operators = build();
});

/** @param replaced dependencies of the acts that a test replaces */
function build(
  replaced: Partial<Pick<Parameters<typeof createOperatorRemittances>[0], 'transaction' | 'events'>> = {},
): OperatorRemittances {
  const { connection } = bench.database;
  operatorLog = createOperatorLog({ model: createOperatorLogModel(connection), clock: bench.deps.clock });
  return createOperatorRemittances({ ...bench.deps, operatorLog, connection, ...replaced });
}

const idOf = (correlationId: string) => `acme/sandbox|${correlationId}`;
const entries = async () => (await operatorLog.list({}, { first: 100 })).nodes;
const stuck = async () => (await operators.list({ list: 'STUCK' }, {})).nodes;
const shownOf = async (correlationId: string): Promise<OperatorRemittance> => {
  const found = await operators.find(idOf(correlationId));
  if (!found) {
    throw new Error(`There is no ${correlationId}`);
  }
  return found;
};

/** A remittance that waits for the next attempt at its identity check, and the keys of the checks. */
async function waiting() {
  const keys: string[] = [];
  let isBack = false;
  const { identity } = bench.deps.providers;
  const away: Unavailable = NOT_SENT;
  const check: typeof identity.check = async (person, call) => {
    keys.push(call.idempotencyKey);
    return isBack ? identity.check(person, call) : away;
  };
  const pipeline = bench.start({ providers: { ...bench.deps.providers, identity: { ...identity, check } } });
  const { correlationId } = await bench.accept(pipeline);
  await bench.run(pipeline);
  return { keys, pipeline, correlationId, comeBack: () => (isBack = true) };
}

describe('The list of stuck remittances', () => {
  test('has those in their phase for over 30 s, of all tenants, and nothing of people', async () => {
    const { correlationId } = await waiting();
    later(30);
    expect(await stuck()).toEqual([]);
    later(1);
    const [shown, ...others] = await stuck();
    expect(others).toEqual([]);
    expect(shown).toEqual({
      ...{ id: idOf(correlationId), tenantId: 'acme', environment: 'sandbox', correlationId },
      ...{ status: 'IN_PROGRESS', phase: 'CIP', phaseSince: START, attempts: 1 },
      nextAttemptAt: new Date(START.getTime() + 5_000),
      lastError: {
        ...{ code: 'ERROR_INTERNAL_SERVER_ERROR', message: NOT_SENT.reason, occurredAt: START },
      },
      ...{ payerMayHaveBeenAsked: false, withdrawal: null, createdAt: START, updatedAt: START },
      whyNotRetry: 'It is due already: a worker takes it at its next sweep.',
      whyNotFail: null,
    });
    expect(JSON.stringify(shown)).not.toMatch(/Ana|Ruiz|Bob|5255|2125550/);
    expect((await operators.list({ list: 'STUCK', tenantId: 'other' }, {})).nodes).toEqual([]);
    expect(await operators.find('acme/sandbox|other')).toBeUndefined();
    expect(await operators.find('nonsense')).toBeUndefined();
  });

  test('hides the texts of providers, which may name people', async () => {
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(pipeline, bodyOf({ requester: { lastName: 'CIPFAIL' } }));
    await bench.run(pipeline);
    const { lastError } = await shownOf(correlationId);
    expect(lastError).toMatchObject({ message: null });
    expect(lastError?.code).not.toBe('ERROR_INTERNAL_SERVER_ERROR');
  });
});

describe('A retry', () => {
  test('makes the next attempt due now, with a new schedule and the same provider key', async () => {
    const { keys, pipeline, correlationId, comeBack } = await waiting();
    later(1);
    const retried = await operators.retry({ id: idOf(correlationId), by: ANA, reason: 'Provider is back' });
    expect(retried).toMatchObject({ ok: true, value: { attempts: 0, nextAttemptAt: bench.now } });
    comeBack();
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect(await entries()).toEqual([
      {
        ...ANA,
        _id: expect.stringMatching(/^opl_/),
        createdAt: bench.now,
        act: 'remittances retry',
        ...{ tenantId: 'acme', environment: 'sandbox', subject: correlationId, reason: 'Provider is back' },
        before: expect.objectContaining({ status: 'IN_PROGRESS', phase: 'CIP', attempts: 1 }),
        after: expect.objectContaining({ status: 'IN_PROGRESS', phase: 'CIP', attempts: 0 }),
      },
    ]);
  });

  test('keeps the fact that the payer may have been asked, and asks again under the same key', async () => {
    const { requested: calls, providers: hanging } = createFunding({
      request: () => new Promise(() => undefined),
    });
    const dying = bench.start({ providers: hanging });
    const { correlationId } = await bench.accept(dying);
    await dying.worker.sweep();
    await until('the call', () => calls.length === 1);
    expect(await operators.retry({ id: idOf(correlationId), by: ANA })).toMatchObject({
      failures: [{ code: 'INVALID_TRANSITION', message: expect.stringContaining('worker has it') }],
    });
    later(31);
    const { requested, providers } = createFunding({ request: () => NOT_SENT });
    const pipeline = bench.start({ providers });
    await bench.run(pipeline);
    expect(await operators.retry({ id: idOf(correlationId), by: ANA })).toMatchObject({ ok: true });
    await bench.run(pipeline);
    expect(new Set(requested).size).toBe(1);
    expect(await bench.stored(correlationId)).toMatchObject({ payerMayHaveBeenAsked: true });
  });

  test.each([
    ['an invalid reason', { reason: '\u202e' }, 'INVALID_REQUEST'],
    ['a reason that is too long', { reason: 'x'.repeat(501) }, 'INVALID_REQUEST'],
    ['an unknown id', { id: 'acme/sandbox|unknown' }, 'ERROR_OPERATION_NOT_FOUND'],
  ])('is refused for %s, without an entry', async (_title, change, code) => {
    const { correlationId } = await waiting();
    const act = { id: idOf(correlationId), by: ANA, ...change };
    expect(await operators.retry(act)).toMatchObject({ failures: [{ code }] });
    expect(await entries()).toEqual([]);
  });
});

describe('Ending a remittance', () => {
  test('sends its event and its outcome; only the log has the reason', async () => {
    const { correlationId } = await waiting();
    const act = { id: idOf(correlationId), by: BOB, reason: 'Fraud, ticket 812' };
    expect(await operators.fail(act)).toMatchObject({ ok: true, value: { status: 'FAILED' } });
    expect(await outcomesOf(correlationId)).toEqual([
      {
        status: 'Failed',
        errorCode: 'ERROR_INTERNAL_SERVER_ERROR',
        reason: 'The platform has ended the request.',
      },
    ]);
    expect((await bench.moves(correlationId)).at(-1)).toBe('2 remittance.failed FAILED CIP');
    const stored = await bench.stored(correlationId);
    expect(stored).not.toHaveProperty('private');
    expect(stored).not.toHaveProperty('isOpen');
    expect(await adviceOn(bench.start(), correlationId)).toMatchObject({ cause: 'ENDED_BY_OPERATOR' });
    expect(JSON.stringify(stored)).not.toContain('ticket 812');
    expect(await operators.fail(act)).toMatchObject({ failures: [{ code: 'INVALID_TRANSITION' }] });
    expect(await operators.retry(act)).toMatchObject({ failures: [{ code: 'INVALID_TRANSITION' }] });
    expect(await entries()).toMatchObject([
      { ...BOB, act: 'remittances fail', reason: 'Fraud, ticket 812', after: { status: 'FAILED' } },
    ]);
  });

  test('drops the outcome of a worker that checks the person meanwhile', async () => {
    const answers: (() => void)[] = [];
    const { identity } = bench.deps.providers;
    const check: typeof identity.check = async (person, call) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return identity.check(person, call);
    };
    const pipeline = bench.start({
      providers: { ...bench.deps.providers, identity: { ...identity, check } },
    });
    const { correlationId } = await bench.accept(pipeline);
    await until('the call', () => answers.length === 1);
    expect(await operators.fail({ id: idOf(correlationId), by: ANA, reason: 'Stop' })).toMatchObject({
      ok: true,
    });
    answers[0]?.();
    await until('the end', () => pipeline.steps().inFlight === 0);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'FAILED', phase: 'CIP' });
    expect(await outcomesOf(correlationId)).toHaveLength(1);
    expect(await entries()).toHaveLength(1);
  });

  test('withdraws the request first where the payer may have been asked', async () => {
    const { cancelled, requested, providers } = createFunding({});
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    const act = { id: idOf(correlationId), by: ANA, reason: 'Stop' };
    expect(await operators.fail(act)).toMatchObject({
      ok: true,
      value: { status: 'IN_PROGRESS', withdrawal: 'PENDING' },
    });
    expect(await outcomesOf(correlationId)).toEqual([]);
    expect(await operators.fail(act)).toMatchObject({ failures: [{ code: 'INVALID_TRANSITION' }] });
    await bench.run(pipeline);
    expect([requested.length, cancelled]).toEqual([1, requested]);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      withdrawal: { status: 'CANCELLED' },
    });
    const [outcome, ...others] = await outcomesOf(correlationId);
    expect(others).toEqual([]);
    expect(outcome?.reason).toMatch(/^The platform has ended the request\. .*safe to request/);
    expect(await entries()).toHaveLength(1);
  });

  test('completes it when the withdrawal finds that the payer has paid', async () => {
    const { providers } = createFunding({ cancel: () => ({ kind: 'already_paid' }) });
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    await operators.fail({ id: idOf(correlationId), by: ANA, reason: 'Stop' });
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    expect((await outcomesOf(correlationId)).map(({ status }) => status)).toEqual(['Accepted']);
    expect(await bench.count('operations', { operationId: correlationId })).toBe(1);
  });

  test('is refused while a worker asks the payer', async () => {
    const { requested: calls, providers } = createFunding({ request: () => new Promise(() => undefined) });
    const { correlationId } = await bench.accept(bench.start({ providers }));
    await until('the call', () => calls.length === 1);
    const act = { id: idOf(correlationId), by: ANA, reason: 'Stop' };
    expect(await operators.fail(act)).toMatchObject({
      failures: [{ code: 'INVALID_TRANSITION', message: expect.stringContaining('asks the payer') }],
    });
    expect((await shownOf(correlationId)).whyNotFail).toMatch(/asks the payer/);
    expect(await entries()).toEqual([]);
  });
});

describe('Acts at the same time', () => {
  test('of two operators have one effect and one entry', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, async () => (await waiting()).correlationId));
    for (const correlationId of ids) {
      const id = idOf(correlationId);
      const acts = await Promise.all([
        operators.fail({ id, by: ANA, reason: 'Stop' }),
        operators.fail({ id, by: BOB, reason: 'Stop' }),
        build().fail({ id, by: BOB, reason: 'Stop' }),
      ]);
      expect(acts.filter(({ ok }) => ok)).toHaveLength(1);
      expect(await outcomesOf(correlationId)).toHaveLength(1);
    }
    expect(await entries()).toHaveLength(ids.length);
  });

  test('of operators and workers have one outcome, and an entry for each act that was done', async () => {
    let done = 0;
    // The act or the worker that comes first wins a round.
    for (let round = 0; round < 8; round += 1) {
      const { pipeline, correlationId, comeBack } = await waiting();
      const others = [bench.start(), bench.start()];
      comeBack();
      later(5);
      const id = idOf(correlationId);
      const [failed, retried] = await Promise.all([
        operators.fail({ id, by: ANA, reason: 'Stop' }),
        operators.retry({ id, by: BOB }),
        ...[pipeline, ...others].map(bench.run),
      ]);
      await runSchedule(pipeline);
      const { status } = await bench.stored(correlationId);
      expect(status).toBe(failed.ok ? 'FAILED' : 'SUCCEEDED');
      expect(await outcomesOf(correlationId)).toHaveLength(1);
      done += [failed, retried].filter(({ ok }) => ok).length;
      expect(await entries()).toHaveLength(done);
    }
  });

  test('of a process that dies before the commit leave neither effect nor entry', async () => {
    const { correlationId } = await waiting();
    const before = await bench.stored(correlationId);
    const dying = build({
      transaction: (work, ...rest) =>
        bench.deps.transaction(
          async (unit) => {
            await work(unit);
            await unit.flush();
            throw new Error('The process dies here');
          },
          ...rest,
        ),
    });
    later(1);
    const act = { id: idOf(correlationId), by: ANA, reason: 'Stop' };
    await expect(dying.fail(act)).rejects.toThrow('dies here');
    await expect(dying.retry(act)).rejects.toThrow('dies here');
    expect(await bench.stored(correlationId)).toEqual(before);
    expect(await outcomesOf(correlationId)).toEqual([]);
    expect(await entries()).toEqual([]);
  });

  test('without an entry do nothing', async () => {
    const { correlationId } = await waiting();
    const append = () => {
      throw new Error('No entry');
    };
    const { connection } = bench.database;
    const broken = createOperatorRemittances({ ...bench.deps, connection, operatorLog: { append } });
    const act = { id: idOf(correlationId), by: ANA, reason: 'Stop' };
    await expect(broken.fail(act)).rejects.toThrow('No entry');
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'IN_PROGRESS' });
  });
});
