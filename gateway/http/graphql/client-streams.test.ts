import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { BoundedQueue } from '../../engine/index.ts';
import { createTestGraph, testContext } from '../../engine/testing/index.ts';
import type { StreamEndReason } from '../../observe/stream-metrics.ts';
import { createClientStreams, EVENT_FIELDS, type StreamClient } from './client-streams.ts';

interface Change {
  readonly cursor: string;
  readonly occurredAt: string;
  readonly text: string;
}

const OPENED = new Date('2026-11-23T08:00:00.000Z');
const change = (n: number, seconds: number, text = 'x'): Change => ({
  cursor: `c${n}`,
  occurredAt: new Date(OPENED.getTime() + seconds * 1_000).toISOString(),
  text,
});

let now: Date;
let aheadMs: number;
let lines: object[];
let reported: string[];
let lags: (number | undefined)[];
beforeEach(() => {
  now = OPENED;
  aheadMs = 0;
  lines = [];
  reported = [];
  lags = [];
});

/** A stream of changes. The client selects only their text. */
async function openStream(
  client: Partial<StreamClient> = {},
  limits = { events: 2, bytes: 1_000 },
  returned = () => {},
) {
  const changes = new BoundedQueue<{ changed: Change | null }>({ limit: 100, returned });
  const { engine } = createTestGraph({
    subgraphs: {
      one: `type Query { a: Int } type Subscription { changed: Change }
        type Change { cursor: String! occurredAt: String! text: String }`,
    },
    resolvers: { Subscription: { changed: { subscribe: () => changes } } },
    engine: { eventFields: EVENT_FIELDS },
  });
  const streams = createClientStreams({
    limits,
    metrics: {
      started: () => reported.push('started'),
      sent: (lag) => lags.push(lag),
      ended: (reason) => reported.push(reason),
    },
    log: { info: (line: object) => lines.push(line) },
    clock: () => now,
    aheadMs: () => aheadMs,
  });
  const results = await engine.subscribe({ query: 'subscription { changed { text } }' }, testContext());
  const stream = streams.open(results as AsyncIterableIterator<ExecutionResult>, {
    transport: 'sse',
    context: {
      principal: { accountId: 'acme/sandbox', keyId: 'k', scopes: [] },
      requestId: 'r-1',
    },
    whyStopped: () => 'stopped',
    ...client,
  });
  const push = (...all: Change[]) => {
    for (const changed of all) {
      changes.push({ changed });
    }
  };
  return { changes, stream, push };
}

const texts = (result: IteratorResult<ExecutionResult>) => JSON.stringify(result.value?.data);

describe('a stream of a client', () => {
  test('is counted and logged when it ends, with its events and the lag of live ones', async () => {
    const { changes, stream, push } = await openStream();
    push(change(1, -60), change(2, 0));
    expect(texts(await stream.next())).toBe('{"changed":{"text":"x"}}');
    now = new Date(OPENED.getTime() + 1_500);
    await stream.next();
    changes.end();
    expect((await stream.next()).done).toBe(true);
    await stream.return?.();
    expect(reported).toEqual(['started', 'completed']);
    expect(lags).toEqual([undefined, 1.5]);
    expect(lines).toEqual([
      {
        reason: 'completed',
        transport: 'sse',
        events: 2,
        ms: 1_500,
        accountId: 'acme/sandbox',
        requestId: 'r-1',
      },
    ]);
  });

  test('that is too slow fails with the cursor of the event that was taken last', async () => {
    const { stream, push } = await openStream();
    push(change(1, 1));
    await stream.next();
    push(change(2, 2), change(3, 3), change(4, 4));
    await nextTurn();
    await expect(stream.next()).rejects.toMatchObject({
      message: expect.stringContaining('Subscribe again after the cursor'),
      extensions: { code: 'SLOW_CONSUMER', cursor: 'c1' },
    });
    expect((await stream.next()).done).toBe(true);
    expect(reported).toEqual(['started', 'slow']);
  });

  test('that lets too many bytes wait is too slow as well, and ends its source', async () => {
    const returned: string[] = [];
    const { stream, push } = await openStream({}, { events: 10, bytes: 100 }, () =>
      returned.push('returned'),
    );
    push(change(1, 1));
    await stream.next();
    push(change(2, 2, 'x'.repeat(200)));
    await nextTurn();
    expect(JSON.stringify(await stream.next())).toContain('x'.repeat(200));
    push(change(3, 3, 'x'.repeat(60)), change(4, 4, 'x'.repeat(60)));
    await nextTurn();
    await nextTurn();
    expect(returned).toEqual(['returned']);
    await expect(stream.next()).rejects.toMatchObject({ extensions: { cursor: 'c2' } });
    expect(reported).toEqual(['started', 'slow']);
  });

  test('may be slow with events from before its start, which are read as it takes them', async () => {
    const { changes, stream, push } = await openStream();
    push(...[1, 2, 3, 4, 5, 6].map((n) => change(n, -n)));
    for (let left = 5; left >= 0; left -= 1) {
      expect((await stream.next()).done).toBe(false);
      await nextTurn();
      expect(changes.size).toBe(left);
    }
    expect(reported).toEqual(['started']);
  });

  test("is read as its client takes it, also when the account's clock is ahead", async () => {
    aheadMs = 3_600_000;
    const { changes, stream, push } = await openStream();
    push(change(1, 3_540), change(2, 3_550), change(3, 3_600));
    await stream.next();
    await nextTurn();
    expect(changes.size).toBe(2);
    await stream.next();
    now = new Date(OPENED.getTime() + 2_000);
    await stream.next();
    expect(lags).toEqual([undefined, undefined, 2]);
  });

  test('drops what waits when its client leaves, and ends its source', async () => {
    const returned: string[] = [];
    const { stream, push } = await openStream({}, undefined, () => returned.push('returned'));
    push(change(1, 1), change(2, 2));
    await stream.next();
    await nextTurn();
    await stream.return?.();
    await stream.return?.();
    expect((await stream.next()).done).toBe(true);
    expect(returned).toEqual(['returned']);
    expect(reported).toEqual(['started', 'stopped']);
  });

  test('that fails passes on the failure, and ends with it', async () => {
    const { changes, stream } = await openStream();
    changes.fail(new Error('broken'));
    expect((await stream.next()).value).toMatchObject({ errors: [{ message: 'broken' }] });
    expect((await stream.next()).done).toBe(true);
    expect(reported).toEqual(['started', 'failed']);
  });

  test.each<StreamEndReason>(['stopped', 'revoked', 'drained'])('says why it was %s', async (reason) => {
    const { stream } = await openStream({ whyStopped: () => reason });
    const waiting = stream.next();
    await stream.return?.();
    expect((await waiting).done).toBe(true);
    expect(reported).toEqual(['started', reason]);
  });

  test('whose client is gone counts as stopped, not as completed', async () => {
    const context = { principal: null, requestId: 'r-1', signal: AbortSignal.abort() };
    const { changes, stream } = await openStream({ context });
    changes.end();
    await stream.next();
    expect(reported).toEqual(['started', 'stopped']);
  });
});
