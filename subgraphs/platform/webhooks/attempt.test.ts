import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createBox } from '../crypto/box.ts';
import { type AttemptDeps, attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { sealedContext } from './sealed.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const TIMEOUT_MS = 10_000;
const box = createBox(randomBytes(32));
const never = new AbortController().signal;

/** A claimed delivery whose lease lasts `leaseMs` from now. */
function claimedFor(leaseMs: number): Claimed {
  const context = sealedContext({ tenantId: 'acme', _id: 'd1' });
  return {
    document: {
      _id: 'd1',
      tenantId: 'acme',
      event: 'e',
      scheme: 'request_money',
      endpoint: 'x',
      shard: 0,
      status: 'PENDING',
      nextAttemptAt: NOW,
      version: 1,
      attempt: 0,
      earlierAttempts: 0,
      claims: 1,
      url: box.seal('https://hooks.acme.test/', context('url')),
      body: box.seal('{}', context('body')),
      createdAt: NOW,
    },
    leaseToken: 't1',
    leaseUntil: new Date(NOW.getTime() + leaseMs),
    dueAt: NOW,
  };
}

/** Says what was done, in order; a lost lease is what `held: false` stands for. */
function harness({ held = true, ...change }: Partial<AttemptDeps> & { held?: boolean } = {}) {
  const done: string[] = [];
  const quiet = () => undefined;
  const deps: AttemptDeps = {
    recorder: {
      record: async (_claimed, { outcome }) => {
        done.push(`record ${outcome.kind}`);
        return undefined;
      },
      bury: async () => undefined,
      release: async () => {
        done.push('release');
        return held;
      },
    },
    sender: {
      send: async ({ url }) => {
        done.push(`send ${url}`);
        return { kind: 'delivered', statusCode: 200, answer: Buffer.alloc(0) };
      },
    },
    box,
    log: { info: quiet, warn: quiet, error: quiet },
    clock: () => NOW,
    counts: { delivered: 0, retried: 0, deadLettered: 0, poisoned: 0, released: 0, stale: 0, unrecorded: 0 },
    timeoutMs: TIMEOUT_MS,
    ...change,
  };
  return { deps, done };
}

describe('attempt', () => {
  test('sends while the lease covers the whole attempt', async () => {
    const { deps, done } = harness();
    await attempt(deps, claimedFor(TIMEOUT_MS), never);
    expect(done).toEqual(['send https://hooks.acme.test/', 'record delivered']);
  });

  test('a process that stood still since its claim sends nothing', async () => {
    const { deps, done } = harness();
    await attempt(deps, claimedFor(TIMEOUT_MS - 1), never);
    expect(done).toEqual(['release']);
    expect(deps.counts).toMatchObject({ released: 1, stale: 0 });
  });

  test('neither does it give back what another has claimed', async () => {
    const { deps } = harness({ held: false });
    await attempt(deps, claimedFor(-1), never);
    expect(deps.counts).toMatchObject({ released: 0, stale: 1 });
  });

  test('a delivery that does not open is left to its lease, and counted', async () => {
    const { deps, done } = harness({ box: createBox(randomBytes(32)) });
    await attempt(deps, claimedFor(TIMEOUT_MS), never);
    expect(done).toEqual([]);
    expect(deps.counts).toMatchObject({ unrecorded: 1 });
  });
});
