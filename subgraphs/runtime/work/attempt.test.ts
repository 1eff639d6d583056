import { beforeEach, describe, expect, test } from '@jest/globals';
import { type SpanEnd, type SpanInfo, type Tracing, UNTRACED } from '../../kernel/tracing/tracing.ts';
import { createAttempts, type Job } from './attempt.ts';
import { type Claimable, type Claimed, LeaseLostError } from './claim.ts';

const NOW = new Date('2026-11-22T08:00:00.000Z');
const PERFORM_MS = 100;
const never = new AbortController().signal;

type TestJob = Job<Claimable, string, 'done' | 'failed'>;

let steps: string[];
let lines: unknown[];

beforeEach(() => {
  steps = [];
  lines = [];
});

function claimed(claims = 1, leaseMs = PERFORM_MS, _id = 'x1'): Claimed<Claimable> {
  return {
    document: { _id, accountId: 'acme/sandbox', nextAttemptAt: NOW, claims },
    leaseToken: 't1',
    leaseUntil: new Date(NOW.getTime() + leaseMs),
    dueAt: NOW,
  };
}

const step = (name: string) => {
  steps.push(name);
};

/** Attempts of a job that does what the test says, and writes down what the kernel calls. */
function attemptsOf(
  change: Partial<TestJob> = {},
  release = async () => step('release'),
  tracing: Tracing = UNTRACED,
) {
  const job: TestJob = {
    name: 'test',
    outcomes: ['done', 'failed'],
    maxClaims: 3,
    performMs: PERFORM_MS,
    identify: ({ _id: id }) => ({ id }),
    trace: ({ _id: id }) => ({
      name: 'test.attempt',
      attributes: { id },
      cause: { traceparent: undefined, isFirst: true },
    }),
    perform: async ({ document }) => {
      step(`perform ${document._id}`);
      return { aborted: false, value: 'result' };
    },
    commit: async ({ document }, performed) => {
      step(`commit ${document._id} ${performed}`);
      return { outcomes: ['done'], line: { level: 'info', event: 'attempt', fields: { performed } } };
    },
    deadLetter: async () => {
      step('dead-letter');
      return { outcomes: ['crashLooping', 'failed'], line: { level: 'error', event: 'crash_looping' } };
    },
    released: () => ({ level: 'info', event: 'released' }),
    ...change,
  };
  const write = (level: string) => (fields: unknown, message?: string) => {
    lines.push([level, message, fields]);
  };
  const log = { info: write('info'), warn: write('warn'), error: write('error') } as never;
  return createAttempts(job, {
    claims: { release },
    log,
    clock: () => NOW,
    isClockRight: () => true,
    tracing,
  });
}

const none = { done: 0, failed: 0, crashLooping: 0, released: 0, stale: 0, unrecorded: 0 };

describe('an attempt', () => {
  test('performs, then commits; it is counted and has one log line', async () => {
    const attempts = attemptsOf();
    await attempts.run(claimed(), never);
    expect(steps).toEqual(['perform x1', 'commit x1 result']);
    expect(attempts.counts).toEqual({ ...none, done: 1 });
    expect(lines).toEqual([
      ['info', 'test.attempt', { id: 'x1', ms: expect.any(Number), performed: 'result' }],
    ]);
  });

  test('is one span with the commit, whose end has outcome and failure; a step that follows is another', async () => {
    const spans: { info: SpanInfo; end: SpanEnd | undefined }[] = [];
    const tracing: Tracing = {
      ...UNTRACED,
      span: async (info, work, end) => {
        const span: (typeof spans)[number] = { info, end: undefined };
        spans.push(span);
        const result = await work({});
        span.end = end(result);
        return result;
      },
    };
    const commit: TestJob['commit'] = async ({ document: { _id } }) => {
      expect(spans.at(-1)).toMatchObject({ info: { attributes: { id: _id } }, end: undefined });
      return {
        outcomes: ['failed'],
        line: { level: 'info', event: 'attempt' },
        errorType: 'away',
        next: _id === 'x1' ? claimed(0, PERFORM_MS, 'x2') : undefined,
      };
    };
    await attemptsOf({ commit }, undefined, tracing).run(claimed(), never);
    const end = { attributes: { 'remitgraph.attempt.outcome': 'failed' }, errorType: 'away' };
    expect(spans).toMatchObject([
      { info: { kind: 'consumer', name: 'test.attempt', attributes: { id: 'x1' } }, end },
      { info: { attributes: { id: 'x2' } }, end },
    ]);
  });

  test('goes on with the next step of the document that its commit holds', async () => {
    const attempts = attemptsOf({
      commit: async ({ document }) => ({
        outcomes: ['done'],
        line: { level: 'info', event: 'attempt' },
        next: document._id === 'x1' ? claimed(0, PERFORM_MS, 'x2') : undefined,
      }),
    });
    await attempts.run(claimed(), never);
    expect(steps).toEqual(['perform x1', 'perform x2']);
    expect(attempts.counts.done).toBe(2);
  });

  test.each([
    ['the lease is too short', claimed(1, PERFORM_MS - 1), never],
    ['the process stops', claimed(), AbortSignal.abort()],
  ])('is not begun where %s: the document is given back', async (_where, document, signal) => {
    const attempts = attemptsOf();
    await attempts.run(document, signal);
    expect(steps).toEqual(['release']);
    expect(attempts.counts).toEqual({ ...none, released: 1 });
  });

  test('that is cut short is given back', async () => {
    const attempts = attemptsOf({ perform: async () => ({ aborted: true }) });
    await attempts.run(claimed(), never);
    expect(steps).toEqual(['release']);
  });

  test('that cannot be given back is left to its lease, and is no failed attempt', async () => {
    const recover = async () => {
      throw new Error('must not be called');
    };
    const away = () => Promise.reject(new Error('away'));
    const attempts = attemptsOf({ perform: async () => ({ aborted: true }), recover }, away);
    await attempts.run(claimed(), never);
    expect(attempts.counts).toEqual({ ...none, unrecorded: 1 });
    expect(lines).toEqual([['error', 'test.unrecorded', { id: 'x1', err: new Error('away') }]]);
  });

  test('is not made at a crash-looping document, which is dead-lettered', async () => {
    const attempts = attemptsOf();
    await attempts.run(claimed(3), never);
    await attempts.run(claimed(4), never);
    expect(steps).toEqual(['perform x1', 'commit x1 result', 'dead-letter']);
    expect(attempts.counts).toEqual({ ...none, done: 1, crashLooping: 1, failed: 1 });
  });

  test('whose lease was lost writes nothing, and recovers nothing', async () => {
    const lost = () => Promise.reject(new LeaseLostError());
    const recover = async () => {
      throw new Error('must not be called');
    };
    const atCommit = attemptsOf({ commit: lost, recover });
    await atCommit.run(claimed(), never);
    const atDeadLetter = attemptsOf({ deadLetter: lost, recover });
    await atDeadLetter.run(claimed(4), never);
    const atRelease = attemptsOf({ recover }, lost);
    await atRelease.run(claimed(1, 0), never);
    for (const { counts } of [atCommit, atDeadLetter, atRelease]) {
      expect(counts).toEqual({ ...none, stale: 1 });
    }
    expect(lines).toEqual(new Array(3).fill(['warn', 'test.lease_lost', { id: 'x1' }]));
  });

  test('that throws is left to its lease, or committed by the recovery of its job', async () => {
    const perform = () => Promise.reject(new Error('boom'));
    const left = attemptsOf({ perform });
    await left.run(claimed(), never);
    expect(left.counts).toEqual({ ...none, unrecorded: 1 });
    expect(lines).toEqual([['error', 'test.unrecorded', { id: 'x1', err: new Error('boom') }]]);

    const recovered = attemptsOf({
      perform,
      recover: async () => ({ outcomes: ['failed'], line: { level: 'info', event: 'attempt' } }),
    });
    await recovered.run(claimed(), never);
    expect(recovered.counts).toEqual({ ...none, failed: 1 });
  });
});
