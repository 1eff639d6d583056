import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { RequestContext } from '../../../subgraphs/kernel/principal.ts';
import { BoundedQueue } from '../../engine/index.ts';
import { createStreamDrain } from '../drain.ts';
import { createEventStreams, type EventStreamOptions } from './event-streams.ts';

const CONTEXT: RequestContext = { principal: null, requestId: 'r-1' };
const PING_MS = 12_000;
const GOODBYE = 'retry: 3000\n\n';

afterEach(() => {
  jest.useRealTimers();
});

function openStream(options: EventStreamOptions = {}) {
  const streams = createEventStreams({ random: () => 0.5, ...options });
  const state = { returned: false };
  const events = new BoundedQueue<ExecutionResult>({
    limit: 1_000,
    returned: () => {
      state.returned = true;
    },
  });
  return { streams, events, state, body: streams.open(events, CONTEXT) };
}

describe('a server that stops', () => {
  test('ends the streams without complete, and with a reconnection time', async () => {
    const { streams, events, body } = openStream();
    const read = text(body);
    events.push({ data: { n: 1 } });
    await sleep(10);
    streams.close();
    expect(await read).toBe(`:\n\nevent: next\ndata: {"data":{"n":1}}\n\n${GOODBYE}`);
  });

  test('ends them when their turn comes, once', async () => {
    const drain = createStreamDrain({ seconds: 1 });
    const { streams, body } = openStream({ drain });
    const read = text(body);
    await drain.run();
    streams.close();
    expect(await read).toBe(`:\n\n${GOODBYE}`);
  });

  test('does not wait for a client that does not read', async () => {
    const { streams, events, body } = openStream();
    events.push({ data: { n: 1 } });
    const closed = once(body, 'close').then(() => 'closed');
    streams.close();
    expect(await Promise.race([closed, sleep(30_000, 'still open', { ref: false })])).toBe('closed');
  });

  test('adds nothing to a completed stream that was not read to its end', async () => {
    const { streams, events, body } = openStream();
    const failed = jest.fn();
    body.on('error', failed);
    // The reader takes a little, and then nothing for a while.
    expect([body.read(), body.read()]).toEqual([':\n\n', null]);
    events.end();
    await sleep(10);
    streams.close();
    expect(await text(body)).toBe('event: complete\ndata:\n\n');
    expect(failed).not.toHaveBeenCalled();
  });

  test('ends a subscription that starts then, but still writes the result of a query', async () => {
    const { streams, body } = openStream();
    streams.close();
    body.destroy();
    const events = new BoundedQueue<ExecutionResult>({ limit: 10 });
    const late = text(streams.open(events, CONTEXT));
    expect(await Promise.race([late, sleep(30_000, 'still open', { ref: false })])).toBe(`:\n\n${GOODBYE}`);
    expect(await text(streams.open({ data: { a: 1 } }, CONTEXT))).toBe(
      ':\n\nevent: next\ndata: {"data":{"a":1}}\n\nevent: complete\ndata:\n\n',
    );
  });
});

test('a revoked key ends a stream without another message', async () => {
  const { streams, body, state } = openStream();
  const read = text(body);
  streams.revoke(body);
  streams.close();
  expect(await read).toBe(':\n\n');
  expect(state.returned).toBe(true);
});

test('a failure for the client is the last event; another failure cuts the stream', async () => {
  const slow = openStream();
  const read = text(slow.body);
  slow.events.fail(new GraphQLError('too slow', { extensions: { code: 'SLOW_CONSUMER', cursor: 'c7' } }));
  expect(await read).toBe(
    ':\n\nevent: next\ndata: {"errors":[{"message":"too slow","extensions":{"code":"SLOW_CONSUMER","cursor":"c7"}}]}\n\n' +
      'event: complete\ndata:\n\n',
  );
  const broken = openStream();
  const broke = text(broken.body);
  broken.events.fail(new Error('bug'));
  await expect(broke).rejects.toThrow('bug');
});

test('a client that reads nothing is cut after five pings, one that reads is not', async () => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'performance', 'Date'] });
  const stuck = openStream();
  const reading = openStream();
  let seen = '';
  reading.body.on('data', (part: string) => {
    seen += part;
  });
  await once(reading.body, 'data');
  for (let pings = 1; pings <= 5; pings += 1) {
    jest.advanceTimersByTime(PING_MS);
    expect(stuck.body.destroyed).toBe(false);
  }
  jest.advanceTimersByTime(PING_MS);
  expect([stuck.body.destroyed, reading.body.destroyed]).toEqual([true, false]);
  expect([stuck.state.returned, reading.state.returned]).toEqual([true, false]);
  expect(seen).toBe(':\n\n'.repeat(7));
  reading.body.destroy();
});
