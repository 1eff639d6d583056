import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createBlindIndex } from '../kernel/crypto/blind-index.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { UNTRACED } from '../kernel/tracing/tracing.ts';
import { createAttempts } from '../runtime/work/attempt.ts';
import type { Claimed } from './claim.ts';
import { createDeliveryJob, type DeliveryJobDeps } from './delivery-job.ts';
import { sealedContext } from './sealed.ts';
import { createSigningKeys } from './signing-key.ts';
import type { MeasuredAttempt } from './telemetry.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const TIMEOUT_MS = 10_000;
const box = createBox(randomBytes(32));
const never = new AbortController().signal;

/** A claimed delivery whose lease lasts `leaseMs` from now. */
function claimedFor(leaseMs: number): Claimed {
  const context = sealedContext({ accountId: 'acme/sandbox', _id: 'd1' });
  return {
    document: {
      _id: 'd1',
      accountId: 'acme/sandbox',
      event: 'e',
      scheme: 'request_money',
      endpoint: 'x',
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

/** Says what was done, in order. */
function harness(change: Partial<DeliveryJobDeps> = {}) {
  const done: string[] = [];
  const measured: MeasuredAttempt[] = [];
  const quiet = () => undefined;
  const job = createDeliveryJob({
    tenants: { find: async () => undefined, endpoints: { exists: async () => false } },
    recorder: {
      record: async ({ document }, { outcome }) => {
        done.push(`record ${outcome.kind}`);
        const { _id: deliveryId, accountId, event, status: previousStatus } = document;
        const moved = { previousStatus, status: 'DELIVERED', version: 2, attempt: 1 } as const;
        return { deliveryId, accountId, event, ...moved, occurredAt: NOW, createdAt: document.createdAt };
      },
      deadLetter: () => Promise.reject(new Error('not here')),
    },
    sender: {
      send: async ({ url }) => {
        done.push(`send ${url}`);
        return { kind: 'delivered', statusCode: 200, answer: Buffer.alloc(0) };
      },
    },
    box,
    signingKeyOf: createSigningKeys(createBlindIndex(randomBytes(32))),
    onAnswered: ({ _id }) => done.push(`answered ${_id}`),
    flow: { ended: ({ outcome }) => done.push(`ended ${outcome}`) },
    clock: () => NOW,
    tracing: UNTRACED,
    onAttempt: (attempt) => measured.push(attempt),
    timeoutMs: TIMEOUT_MS,
    ...change,
  });
  const claims = {
    release: async () => {
      done.push('release');
    },
  };
  const log = { info: quiet, warn: quiet, error: quiet };
  return {
    attempts: createAttempts(job, {
      claims,
      log,
      clock: () => NOW,
      isClockRight: () => true,
      tracing: UNTRACED,
    }),
    done,
    measured,
  };
}

describe('an attempt at a delivery', () => {
  test('sends while the lease covers the whole attempt', async () => {
    const { attempts, done } = harness();
    await attempts.run(claimedFor(TIMEOUT_MS), never);
    expect(done).toEqual([
      'send https://hooks.acme.test/',
      'answered d1',
      'ended delivered',
      'record delivered',
    ]);
    expect(attempts.counts).toMatchObject({ delivered: 1, released: 0 });
  });

  test('sends nothing where its process stood still since the claim', async () => {
    const { attempts, done } = harness();
    await attempts.run(claimedFor(TIMEOUT_MS - 1), never);
    expect(done).toEqual(['release']);
    expect(attempts.counts).toMatchObject({ released: 1, stale: 0 });
  });

  test('gives back an interrupted attempt, and does not count it', async () => {
    const { attempts, done, measured } = harness({ sender: { send: async () => ({ kind: 'aborted' }) } });
    await attempts.run(claimedFor(TIMEOUT_MS), never);
    expect(done).toEqual(['answered d1', 'release']);
    expect(measured).toEqual([]);
  });

  test('reports its duration and outcome', async () => {
    const good = harness();
    await good.attempts.run(claimedFor(TIMEOUT_MS), never);
    expect(good.measured).toEqual([{ result: 'delivered', seconds: expect.any(Number) }]);
    const failed = { kind: 'failed', errorClass: 'timeout', answer: Buffer.alloc(0) } as const;
    const bad = harness({ sender: { send: async () => failed } });
    await bad.attempts.run(claimedFor(TIMEOUT_MS), never);
    expect(bad.measured).toEqual([{ result: 'timeout', seconds: expect.any(Number) }]);
  });

  test('leaves a delivery that does not open to its lease, and counts it', async () => {
    const { attempts, done } = harness({ box: createBox(randomBytes(32)) });
    await attempts.run(claimedFor(TIMEOUT_MS), never);
    expect(done).toEqual([]);
    expect(attempts.counts).toMatchObject({ unrecorded: 1 });
  });
});
