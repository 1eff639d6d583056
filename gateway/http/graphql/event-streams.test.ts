import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { createEventQueue } from '../../engine/testing/index.ts';
import { createEventStreams } from './event-streams.ts';

function openStream() {
  const streams = createEventStreams();
  const events = createEventQueue<ExecutionResult>({ returned: () => undefined });
  return { streams, events, body: streams.open(events.values) };
}

test('a server that stops ends the streams, without complete', async () => {
  const { streams, events, body } = openStream();
  const read = text(body);
  events.push({ data: { n: 1 } });
  await sleep(10);
  streams.close();
  expect(await read).toBe(':\n\nevent: next\ndata: {"data":{"n":1}}\n\n');
});

test('a server that stops does not wait for a client that does not read', async () => {
  const { streams, events, body } = openStream();
  events.push({ data: { n: 1 } });
  const closed = once(body, 'close').then(() => 'closed');
  streams.close();
  expect(await Promise.race([closed, sleep(30_000, 'still open', { ref: false })])).toBe('closed');
});

test('a server that stops ends a subscription that begins then, and still writes the result of a query', async () => {
  const streams = createEventStreams();
  const events = createEventQueue<ExecutionResult>({ returned: () => undefined });
  streams.close();
  const late = text(streams.open(events.values));
  expect(await Promise.race([late, sleep(30_000, 'still open', { ref: false })])).toBe(':\n\n');
  expect(await text(streams.open({ data: { a: 1 } }))).toBe(
    ':\n\nevent: next\ndata: {"data":{"a":1}}\n\nevent: complete\ndata:\n\n',
  );
});
