import { describe, expect, test } from '@jest/globals';
import { until } from '../../test/support/until.ts';
import type { FundingProvider } from '../providers/types.ts';
import { CRASH_LOOP_CLAIMS } from '../runtime/work/attempt.ts';
import { bodyOf, CARD, DOCUMENTED, usePipelineBench } from './testing.ts';

// Many steps on a database that is not the test's alone.

const bench = usePipelineBench();

const later = (seconds: number) => {
  bench.now = new Date(bench.now.getTime() + seconds * 1000);
};

/** Providers of which the funding provider does this. */
function withRequest(request: FundingProvider['request']) {
  const { providers } = bench.deps;
  return { ...providers, funding: { ...providers.funding, request } };
}

describe('a provider that is away', () => {
  test.each<[string, Parameters<typeof bodyOf>[0]]>([
    ['CIP', { requester: { lastName: 'VALIDATORDOWN' } }],
    ['PAYMENT_METHOD', { method: { ...CARD, number: '4000000000000119' } }],
    [
      'PAYMENT_METHOD',
      { method: { type: 'UBN', number: '000000000000000119', country: 'MX', currency: 'MXN' } },
    ],
    ['REQUEST_MONEY', { requestTo: { lastName: 'FUNDINGDOWN' } }],
  ])('in %s: after 5 s, 30 s, 2 min, 10 min, then it fails', async (phase, changes) => {
    const pipeline = bench.start();
    const { correlationId } = await bench.accept(pipeline, bodyOf(changes));
    await bench.run(pipeline);
    for (const [index, seconds] of DOCUMENTED.retrySeconds.entries()) {
      const waiting = await bench.stored(correlationId);
      expect(waiting).toMatchObject({
        status: 'IN_PROGRESS',
        phase,
        attempts: index + 1,
        claims: 0,
        lastError: { code: 'ERROR_INTERNAL_SERVER_ERROR', occurredAt: bench.now },
        nextAttemptAt: new Date(bench.now.getTime() + seconds * 1000),
      });
      expect(waiting).not.toHaveProperty('leaseToken');
      later(seconds - 0.001);
      await bench.run(pipeline);
      expect((await bench.stored(correlationId)).attempts).toBe(index + 1);
      later(0.001);
      await bench.run(pipeline);
    }
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      phase,
      attempts: 5,
      lastError: { code: 'ERROR_INTERNAL_SERVER_ERROR' },
    });
    const outcomes = await bench.outcomes(correlationId);
    expect(outcomes.map((body) => JSON.parse(body))).toMatchObject([
      { status: 'Failed', errorCode: 'ERROR_INTERNAL_SERVER_ERROR', phase },
    ]);
    // Attempts are no moves: only phases and the end have events.
    expect((await bench.moves(correlationId)).length).toBe((await bench.stored(correlationId)).version);
  });

  test('one that comes back is called with the same key, and the later phases begin again', async () => {
    const keys: string[] = [];
    let isAway = true;
    const pipeline = bench.start({
      providers: {
        ...bench.deps.providers,
        identity: {
          names: { sandbox: 'test', live: 'test' },
          check: async (_person, { idempotencyKey, accountId, isPatient }) => {
            keys.push(`${idempotencyKey} of ${accountId}${isPatient ? '' : ', in haste'}`);
            return isAway ? { kind: 'unavailable', reason: 'Away.' } : { kind: 'accepted' };
          },
        },
      },
    });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    expect(await bench.stored(correlationId)).toMatchObject({ lastError: { message: 'Away.' } });
    isAway = false;
    later(5);
    await bench.run(pipeline);
    const stored = await bench.stored(correlationId);
    expect(stored).toMatchObject({ status: 'SUCCEEDED', attempts: 0 });
    expect(stored).not.toHaveProperty('lastError');
    expect(keys).toEqual([
      `acme/sandbox:${correlationId}:CIP of acme/sandbox`,
      `acme/sandbox:${correlationId}:CIP of acme/sandbox`,
    ]);
    const user = await bench.database.connection.collection('users').findOne({});
    expect(JSON.stringify(user)).toContain('verified');
  });

  test('a call is stuck after 30 s in its phase, in figures too', async () => {
    const pipeline = bench.start();
    await bench.accept(pipeline, bodyOf({ requestTo: { lastName: 'FUNDINGDOWN' } }));
    await bench.accept(pipeline, bodyOf({ requester: { lastName: 'VALIDATORDOWN' } }));
    await bench.run(pipeline);
    later(30);
    expect((await pipeline.stats()).phases).toMatchObject({
      CIP: { inProgress: 1, stuck: 0, oldestSeconds: 30 },
      CONTACT: { inProgress: 0, stuck: 0, oldestSeconds: 0 },
      REQUEST_MONEY: { inProgress: 1, stuck: 0, oldestSeconds: 30 },
    });
    const since = new Date(bench.now.getTime() - 30_000);
    const figures = () => pipeline.tenantFigures(['acme/sandbox', 'globex/sandbox']);
    expect(await figures()).toEqual(
      new Map([['acme/sandbox', { inProgress: 2, stuck: 0, stuckSince: null }]]),
    );
    later(1);
    expect(await figures()).toEqual(
      new Map([['acme/sandbox', { inProgress: 2, stuck: 2, stuckSince: since }]]),
    );
    expect((await pipeline.stats()).phases).toMatchObject({
      CIP: { inProgress: 1, stuck: 1, oldestSeconds: 31 },
      REQUEST_MONEY: { inProgress: 1, stuck: 1, oldestSeconds: 31 },
    });
    // Their first failures are tried again after 5 s; nobody has done it since.
    const waiting = { due: 1, leased: 0, later: 0, overdueSeconds: 26 };
    expect((await pipeline.stats()).phases).toMatchObject({ CIP: waiting, REQUEST_MONEY: waiting });
  });
});

describe('processes that die', () => {
  test('a remittance claimed too often without a result fails at the next claim', async () => {
    const pipeline = bench.start();
    await pipeline.worker.stop();
    const { correlationId } = await bench.accept(pipeline);
    const remittances = bench.database.connection.collection('remittances');
    await remittances.updateOne(
      { correlationId },
      { $set: { claims: CRASH_LOOP_CLAIMS - 1, leaseToken: 'dead' } },
    );
    let called = 0;
    let goOn: (() => void) | undefined;
    const dying = bench.start({
      users: {
        ...bench.deps.users,
        accountState: () => {
          called += 1;
          return new Promise((resolve) => {
            goOn = () => resolve(undefined);
          });
        },
      },
    });
    await dying.worker.sweep();
    await until('its last claim', () => called === 1);
    later(30);
    const next = bench.start();
    await bench.run(next);
    expect(await bench.stored(correlationId)).toMatchObject({
      status: 'FAILED',
      phase: 'CIP',
      lastError: { code: 'ERROR_INTERNAL_SERVER_ERROR' },
    });
    expect(next.steps()).toMatchObject({ crashLooping: 1, failed: 1 });
    goOn?.();
    await until('its result to be dropped', () => dying.steps().stale === 1);
    expect(await bench.outcomes(correlationId)).toHaveLength(1);
    expect(called).toBe(1);
  });

  test('a lease that is over is taken over, and its first holder writes nothing more', async () => {
    let answer: (() => void) | undefined;
    const slow = bench.start({
      providers: withRequest(
        () =>
          new Promise((resolve) => {
            answer = () => resolve({ kind: 'accepted' });
          }),
      ),
    });
    const { correlationId } = await bench.accept(slow);
    await slow.worker.sweep();
    await until('the last phase', () => answer !== undefined);
    const other = bench.start();
    later(29.999);
    await bench.run(other);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'IN_PROGRESS' });
    later(0.001);
    await bench.run(other);
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
    answer?.();
    await until('the first one to notice', () => slow.steps().stale === 1);
    expect(await bench.count('operations')).toBe(1);
    expect(await bench.outcomes(correlationId)).toHaveLength(1);
    expect(slow.steps()).toMatchObject({ succeeded: 0, unrecorded: 0 });
  });

  test('a stop gives back calls that do not end in time: due at once, and not counted', async () => {
    const slow = bench.start({ providers: withRequest(() => new Promise(() => undefined)) });
    const { correlationId } = await bench.accept(slow);
    await slow.worker.sweep();
    await until('the last phase', async () => (await bench.stored(correlationId)).phase === 'REQUEST_MONEY');
    await slow.worker.stop();
    expect(slow.steps()).toMatchObject({ released: 1 });
    expect(await bench.stored(correlationId)).toMatchObject({
      attempts: 0,
      claims: 0,
      nextAttemptAt: bench.now,
    });
    await bench.run(bench.start());
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('a stop during the read that comes before a provider call is noticed, and the provider is not called', async () => {
    let goOn: (() => void) | undefined;
    let called = 0;
    // A worker that begins with its own acceptance reads nothing more of the user.
    const acceptor = bench.start();
    await acceptor.worker.stop();
    const { correlationId } = await bench.accept(acceptor);
    const held = bench.start({
      users: {
        ...bench.deps.users,
        accountState: async (...user) => {
          await new Promise<void>((resolve) => {
            goOn = resolve;
          });
          return bench.deps.users.accountState(...user);
        },
      },
      providers: {
        ...bench.deps.providers,
        identity: {
          names: { sandbox: 'test', live: 'test' },
          check: () => {
            called += 1;
            return new Promise(() => undefined);
          },
        },
      },
    });
    await held.worker.sweep();
    await until('the read', () => goOn !== undefined);
    let hasStopped = false;
    const stopped = held.worker.stop().then(() => {
      hasStopped = true;
    });
    // The grace time is 0, and begins when the claim loop has ended: the signal is aborted while the read is held.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    goOn?.();
    await until('the stop', () => hasStopped);
    await stopped;
    expect(called).toBe(0);
    expect(held.steps()).toMatchObject({ released: 1, inFlight: 0 });
    expect(await bench.stored(correlationId)).toMatchObject({
      attempts: 0,
      claims: 0,
      nextAttemptAt: bench.now,
    });
    await bench.run(bench.start());
    expect(await bench.stored(correlationId)).toMatchObject({ status: 'SUCCEEDED' });
  });
});
