import { beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { WithdrawalAnswer } from '../../providers/types.ts';
import { readAskedFigures } from '../../providers/withdrawal-figures.ts';
import { CALL_LEASE_MS } from '../store/reservations.ts';
import { CARD, newCorrelationId, START, useBench } from '../testing.ts';
import { holdCards, type ScriptedFunding, scriptFunding, TIMED_OUT } from '../testing-funding.ts';
import { createWithdrawalWorker, type WithdrawalWorker } from '../withdrawal-worker.ts';

const bench = useBench();
const AWAY: WithdrawalAnswer = { kind: 'unavailable', reason: 'Away.' };
const NOT_SENT = { kind: 'unavailable', reason: 'Refused.', notSent: true } as const;
const settings = { withdrawAfterSeconds: 600, retrySeconds: [5, 30], leaseSeconds: 30, stopGraceMs: 0 };

let userId: string;
let correlationId: string;
let funding: ScriptedFunding;
let worker: WithdrawalWorker;

beforeEach(async () => {
  // Those of the tests before are not this one's.
  await bench.models.reservations.deleteMany({});
  bench.now = START;
  userId = await bench.newUser();
  correlationId = newCorrelationId();
  funding = scriptFunding(bench);
  worker = createWithdrawalWorker({ ...bench.deps, settings }, bench.models.reservations);
  worker.start();
});

const stored = () => bench.models.reservations.findOne({ operationId: correlationId }).orFail().lean();
const countOperations = () => bench.models.operations.countDocuments({ operationId: correlationId });
const block = () =>
  bench.database.connection
    .collection<{ _id: string }>('users')
    .updateOne({ _id: userId }, { $set: { blocked: true } });

/** Lets time pass, and a worker do all that is due then. */
async function later(seconds: number): Promise<void> {
  bench.now = new Date(bench.now.getTime() + seconds * 1000);
  await until('nothing due', async () => {
    await worker.sweep();
    const open = await bench.models.reservations.find({ isOpen: true }).lean();
    return open.every(
      ({ nextAttemptAt, leaseToken }) => nextAttemptAt > bench.now && leaseToken === undefined,
    );
  });
}

/** A request whose answer is lost. */
async function lose(changes: Readonly<Record<string, unknown>> = {}): Promise<void> {
  funding.answers.push(TIMED_OUT);
  expect(await bench.request(userId, { correlationId, ...changes })).toMatchObject({
    failures: [
      {
        code: 'ERROR_INTERNAL_SERVER_ERROR',
        message: expect.stringContaining('with the same correlationId'),
      },
    ],
  });
}

describe('a request whose answer is lost and whose caller does not come back', () => {
  test.each([
    ['cancelled', 'CANCELLED'],
    ['not_found', 'NOT_FOUND'],
  ] as const)('is withdrawn after 600 s under its key (%s), and a new id is safe', async (kind, status) => {
    await lose({ destinationPaymentMethod: CARD });
    expect(await stored()).toMatchObject({
      status: 'IN_PROGRESS',
      payerMayHaveBeenAsked: true,
      failures: [{ message: 'The provider did not answer in time.', payerMayHaveBeenAsked: true }],
    });
    await later(599);
    expect(funding.cancelled).toEqual([]);
    funding.withdrawals.push({ kind });
    await later(1);
    expect(funding.cancelled).toEqual([{ key: funding.called[0]?.key, body: funding.called[0]?.body }]);
    const ended = await stored();
    expect(ended).toMatchObject({ status: 'FAILED', withdrawal: { status } });
    for (const gone of ['isOpen', 'isAsking', 'leaseToken']) {
      expect(ended).not.toHaveProperty(gone);
    }
    const failed = { ok: false, failures: [{ code: 'PAYER_REQUEST_WITHDRAWN' }] };
    expect(await bench.request(userId, { correlationId, destinationPaymentMethod: CARD })).toMatchObject(
      failed,
    );
    expect([funding.called.length, await countOperations()]).toEqual([1, 0]);
    await later(86_400);
    expect(funding.cancelled).toHaveLength(1);
  });

  test('is an operation when the payer has paid, with the values of the request', async () => {
    await lose({ reason: 'Rent', destinationPaymentMethod: CARD });
    funding.withdrawals.push({ kind: 'already_paid' });
    await later(600);
    expect(await stored()).toMatchObject({ status: 'SUCCEEDED', withdrawal: { status: 'ALREADY_PAID' } });
    const { operation, events } = await bench.stored(correlationId);
    expect(operation).toMatchObject({ status: 'Sent', reason: 'Rent', amount: '103' });
    expect(events).toHaveLength(1);
  });

  test('is asked about on the schedule for 72 hours, and then nobody knows', async () => {
    await lose({ destinationPaymentMethod: CARD });
    funding.withdrawals.push(...Array.from({ length: 50 }, () => AWAY));
    await later(600);
    for (const seconds of [5, 30, 30]) {
      await later(seconds);
    }
    expect(funding.cancelled).toHaveLength(4);
    expect(await bench.request(userId, { correlationId, destinationPaymentMethod: CARD })).toMatchObject({
      failures: [{ message: expect.stringContaining('Do not request the money again') }],
    });
    await later(3 * 86_400);
    const ended = await stored();
    expect(ended).toMatchObject({ status: 'FAILED', withdrawal: { status: 'UNKNOWN' } });
    const figures = { retrying: 0, withdrawing: 0, unknown: 1 };
    expect(await readAskedFigures(bench.models.reservations)).toEqual(figures);
    expect(bench.deps.reservations.termsOf(ended)).toMatchObject({ paymentMethodId: expect.any(String) });
    expect(await bench.request(userId, { correlationId, destinationPaymentMethod: CARD })).toMatchObject({
      failures: [
        { code: 'ERROR_INTERNAL_SERVER_ERROR', message: expect.stringContaining('contact support') },
      ],
    });
    expect(funding.called).toHaveLength(1);
  });

  test('is asked about later when the provider requests it by Retry-After', async () => {
    await lose();
    funding.withdrawals.push({ ...AWAY, retryAfterMs: 40_000 });
    await later(600);
    await later(39);
    expect(funding.cancelled).toHaveLength(1);
    await later(1);
    expect(funding.cancelled).toHaveLength(2);
  });

  test('is asked about on the schedule after a clock was an hour ahead', async () => {
    await lose();
    funding.withdrawals.push(AWAY);
    await later(3_600);
    expect(await worker.bringBack()).toBe(0);
    bench.now = new Date(bench.now.getTime() - 3_600_000);
    expect(await worker.bringBack()).toBe(1);
    expect(await stored()).toMatchObject({ nextAttemptAt: new Date(bench.now.getTime() + 5_000) });
    await later(5);
    expect(funding.cancelled).toHaveLength(2);
  });

  test('is not asked about while the clock of the machine is wrong', async () => {
    await lose();
    let isRight = false;
    worker = createWithdrawalWorker(
      { ...bench.deps, settings, isClockRight: () => isRight },
      bench.models.reservations,
    );
    worker.start();
    bench.now = new Date(bench.now.getTime() + 600_000);
    await worker.sweep();
    expect(await stored()).toMatchObject({ claims: 0 });
    expect(funding.cancelled).toEqual([]);
    isRight = true;
    await later(0);
    expect(funding.cancelled).toHaveLength(1);
  });

  test('waits for the caller that comes back, and is not withdrawn then', async () => {
    await lose();
    await later(300);
    expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
    await later(86_400);
    expect([funding.called.length, funding.cancelled.length]).toEqual([2, 0]);
  });
});

test('a request that certainly did not reach the provider is not withdrawn', async () => {
  funding.answers.push(NOT_SENT);
  await bench.request(userId, { correlationId });
  const waiting = await stored();
  expect(waiting).toMatchObject({ status: 'IN_PROGRESS', failures: [{ message: 'Refused.' }] });
  expect(waiting).not.toHaveProperty('payerMayHaveBeenAsked');
  await later(86_400);
  expect(funding.cancelled).toEqual([]);
  expect(await bench.request(userId, { correlationId })).toMatchObject({ ok: true });
});

describe('a user who is blocked', () => {
  test('after a lost answer, has the request withdrawn within seconds', async () => {
    await lose();
    await block();
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      failures: [
        {
          code: 'ERROR_INVALID_OPERATION',
          message: expect.stringContaining('The payer may have been asked'),
        },
      ],
    });
    await later(10);
    expect(funding.cancelled).toHaveLength(1);
    expect(await stored()).toMatchObject({ status: 'FAILED', withdrawal: { status: 'CANCELLED' } });
  });

  test('gets the operation when the payer has paid', async () => {
    await lose();
    await block();
    funding.withdrawals.push({ kind: 'already_paid' });
    await later(10);
    expect(await countOperations()).toBe(1);
  });
});

test.each(['ERROR_CONTACT_NOT_FOUND', 'ERROR_OPERATION_ALREADY_COMPLETED'] as const)(
  'a refusal after a lost answer (%s) says nothing of the first call: the request is withdrawn',
  async (code) => {
    await lose();
    funding.answers.push({ kind: 'rejected', code, reason: 'Duplicate request.' });
    expect(await bench.request(userId, { correlationId })).toMatchObject({
      failures: [{ code, message: expect.stringContaining('Do not request the money again') }],
    });
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS', withdrawal: { status: 'PENDING' } });
    await later(0);
    expect(await stored()).toMatchObject({ status: 'FAILED', withdrawal: { status: 'CANCELLED' } });
    expect([funding.called.length, funding.cancelled.length]).toEqual([2, 1]);
  },
);

test('a caller that comes to itself after its lease asks nobody', async () => {
  const cards = holdCards(bench);
  const stalled = bench.request(userId, { correlationId, destinationPaymentMethod: CARD });
  await cards.untilCalled(1);
  await later(CALL_LEASE_MS / 1000);
  const left = await stored();
  expect(left).toMatchObject({ status: 'IN_PROGRESS', claims: 0 });
  for (const absent of ['isOpen', 'payerMayHaveBeenAsked', 'withdrawal']) {
    expect(left).not.toHaveProperty(absent);
  }
  await block();
  cards.answerLast({ kind: 'accepted' });
  // It begins again, like an identical call that comes then.
  await cards.untilCalled(2);
  cards.answerLast({ kind: 'accepted' });
  expect(await stalled).toMatchObject({ failures: [{ code: 'ERROR_INVALID_OPERATION' }] });
  await later(600);
  expect([funding.called.length, funding.cancelled.length]).toEqual([0, 0]);
});

test('a caller that dies while it calls leaves a payer who may have been asked', async () => {
  funding.hold();
  const dying = bench.request(userId, { correlationId });
  await funding.untilCalled(1);
  expect((await stored()).payerMayHaveBeenAsked).toBeUndefined();
  await later(CALL_LEASE_MS / 1000);
  expect(await stored()).toMatchObject({ payerMayHaveBeenAsked: true, status: 'IN_PROGRESS' });
  await later(600);
  expect(await stored()).toMatchObject({ status: 'FAILED', withdrawal: { status: 'CANCELLED' } });
  expect(funding.cancelled).toHaveLength(1);
  void dying;
});

describe('a status that the back end reports', () => {
  test.each(['Funded', 'Completed', 'Cancelled'] as const)(
    'of a request whose payer may have been asked, creates its operation: %s',
    async (status) => {
      await lose();
      await later(590);
      funding.withdrawals.push(AWAY);
      await later(10);
      expect(await bench.update(correlationId, { partnerId: 'acme', status })).toMatchObject({
        ok: true,
        value: { operationId: correlationId, status },
      });
      expect(await stored()).toMatchObject({
        status: 'SUCCEEDED',
        withdrawal: { status: status === 'Cancelled' ? 'CANCELLED' : 'ALREADY_PAID' },
      });
      const { moves } = await bench.stored(correlationId);
      expect(moves[0]).toMatchObject({ previousStatus: null, status: 'Sent', version: 1 });
      expect(moves.at(-1)).toMatchObject({ status, version: moves.length });
      await later(86_400);
      expect(funding.cancelled).toHaveLength(1);
    },
  );

  test.each(['cancelled', 'not_found'] as const)(
    'creates the operation of a request whose withdrawal was answered %s',
    async (kind) => {
      await lose({ reason: 'Rent', destinationPaymentMethod: CARD });
      funding.withdrawals.push({ kind });
      await later(600);
      expect(await bench.update(correlationId, { status: 'Completed' })).toMatchObject({
        ok: true,
        value: { status: 'Completed', reason: 'Rent' },
      });
      const paid = await stored();
      expect(paid).toMatchObject({ status: 'SUCCEEDED', withdrawal: { status: 'ALREADY_PAID' } });
      expect(paid).not.toHaveProperty('terms');
    },
  );

  test('is tried again when another operation has taken the code first', async () => {
    await lose();
    const other = await bench.request(userId);
    const taken = other.ok ? other.value.code : '';
    const codes = [taken, 'ZZZZ2222'];
    bench.deps.newCode = () => codes.shift() ?? '';
    expect(await bench.update(correlationId, { status: 'Funded' })).toMatchObject({
      ok: true,
      value: { code: 'ZZZZ2222' },
    });
  });

  test('finds nothing where the payer was not asked, and moves nothing for a blocked user', async () => {
    funding.answers.push(NOT_SENT);
    await bench.request(userId, { correlationId });
    const missing = { failures: [{ code: 'OPERATION_NOT_FOUND' }] };
    expect(await bench.update(correlationId, { status: 'Funded' })).toMatchObject(missing);
    funding.answers.push(TIMED_OUT);
    await bench.request(userId, { correlationId });
    await block();
    expect(await bench.update(correlationId, { status: 'Funded' })).toMatchObject({
      failures: [{ code: 'USER_BLOCKED' }],
    });
    expect(await countOperations()).toBe(0);
    expect(await stored()).toMatchObject({ status: 'IN_PROGRESS' });
  });
});
