import { describe, expect, test } from '@jest/globals';
import type { FundingProvider, Providers } from '../providers/types.ts';
import { DOCUMENTED, usePipelineBench } from './testing.ts';
import { withdrawalsOn } from './testing-withdrawals.ts';

const bench = usePipelineBench();
const { later, createFunding, adviceOn } = withdrawalsOn(bench);
const [first = 0] = DOCUMENTED.retrySeconds;

describe('Retry-After of a provider', () => {
  /** Seconds until the next attempt at the identity check. */
  const delayAfter = async (retryAfterMs: number | undefined) => {
    const unavailable = {
      kind: 'unavailable',
      reason: 'Away.',
      ...(retryAfterMs && { retryAfterMs }),
    } as const;
    const { names } = bench.deps.providers.identity;
    const identity: Providers['identity'] = { names, check: async () => unavailable };
    const pipeline = bench.start({ providers: { ...bench.deps.providers, identity } });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    const { nextAttemptAt } = await bench.stored(correlationId);
    return (nextAttemptAt.getTime() - bench.now.getTime()) / 1000;
  };

  test.each([
    ['none leaves the delay of the schedule', undefined, first],
    ['a shorter one does, too', 1_000, first],
    ['a longer one delays the next attempt', first * 3_000, first * 3],
    ['at most ten times the delay of the schedule counts', 86_400_000, first * 10],
  ])('%s', async (_title, retryAfterMs, seconds) => {
    expect(await delayAfter(retryAfterMs)).toBe(seconds);
  });

  test('delays the next withdrawal, too', async () => {
    const { cancelled, providers } = createFunding({
      request: () => ({ kind: 'unavailable', reason: 'Lost.' }),
      cancel: () => ({ kind: 'unavailable', reason: 'Away.', retryAfterMs: first * 4_000 }),
    });
    const pipeline = bench.start({ providers });
    await bench.accept(pipeline);
    await bench.run(pipeline);
    for (const seconds of DOCUMENTED.retrySeconds) {
      later(seconds);
      await bench.run(pipeline);
    }
    expect(cancelled).toHaveLength(1);
    later(first * 4 - 1);
    await bench.run(pipeline);
    expect(cancelled).toHaveLength(1);
    later(1);
    await bench.run(pipeline);
    expect(cancelled).toHaveLength(2);
  });
});

describe('the advice after a refusal with ERROR_INVALID_OPERATION', () => {
  const refuse: FundingProvider['request'] = async () => ({
    kind: 'rejected',
    code: 'ERROR_INVALID_OPERATION',
    reason: 'Not now.',
  });
  const adviceAfter = async (blocked: boolean) => {
    const { funding } = bench.deps.providers;
    const providers = { ...bench.deps.providers, funding: { ...funding, request: refuse } };
    const pipeline = bench.start({ providers });
    const { correlationId } = await bench.accept(pipeline);
    await bench.run(pipeline);
    await bench.database.connection.collection('users').updateMany({}, { $set: { blocked } });
    return adviceOn(pipeline, correlationId);
  };

  test('names the block of a user who is blocked', async () => {
    expect(await adviceAfter(true)).toMatchObject({
      step: 'USER_BLOCKED',
      nextAction: 'UNBLOCK_USER',
      cause: 'USER_BLOCKED',
    });
  });

  test('does not name a block where nobody is blocked', async () => {
    expect(await adviceAfter(false)).toEqual({
      step: 'REQUEST_MONEY',
      nextAction: 'CORRECT_AND_REQUEST_AGAIN',
      cause: 'REFUSED',
      message: 'Not now.',
    });
  });
});
