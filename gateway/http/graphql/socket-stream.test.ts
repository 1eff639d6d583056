import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { ExecutionResult } from 'graphql';
import { createEventQueue } from '../../engine/testing/index.ts';
import { sendResults } from './socket-stream.ts';

const DONE = { value: undefined, done: true };

function openStream(id = '1') {
  const state = { returned: 0 };
  const results = createEventQueue<ExecutionResult>({
    returned: () => {
      state.returned += 1;
    },
  });
  const sent: string[] = [];
  /** Has the system take the message that was sent last. */
  let taken = () => {};
  const stream = sendResults(id, results.values, (text) => {
    sent.push(text);
    return new Promise((resolve) => {
      taken = resolve;
    });
  });
  return { state, results, sent, stream, take: () => taken() };
}

describe('results for a socket', () => {
  test('are sent one after the other, each when the system has taken the one before', async () => {
    const { results, sent, stream, take } = openStream('a"b');
    const end = stream.next();
    results.push({ data: { n: 1 } });
    results.push({ data: { n: 2 } });
    results.end();
    await nextTurn();
    expect(sent).toEqual(['{"id":"a\\"b","type":"next","payload":{"data":{"n":1}}}']);
    take();
    await nextTurn();
    expect(sent.slice(1)).toEqual(['{"id":"a\\"b","type":"next","payload":{"data":{"n":2}}}']);
    take();
    expect(await end).toEqual(DONE);
  });

  test('are written once for all who get them', async () => {
    let writings = 0;
    const shared: ExecutionResult = {
      data: {
        toJSON: () => {
          writings += 1;
          return { n: 1 };
        },
      },
    };
    const streams = [openStream('1'), openStream('2')];
    for (const { stream, results } of streams) {
      void stream.next();
      results.push(shared);
    }
    await nextTurn();
    expect(streams.map(({ sent }) => sent)).toEqual(
      ['1', '2'].map((id) => [`{"id":"${id}","type":"next","payload":{"data":{"n":1}}}`]),
    );
    expect(writings).toBe(1);
  });

  test('fail with their source, and with what no JSON can be written of', async () => {
    const failing = openStream();
    const failed = failing.stream.next();
    failing.results.fail(new Error('broken'));
    await expect(failed).rejects.toThrow('broken');
    const { results, stream } = openStream();
    const unwritable = stream.next();
    results.push({ data: { n: 1n } });
    await expect(unwritable).rejects.toThrow('BigInt');
  });

  test('end when their client wants no more', async () => {
    const { state, sent, stream, results } = openStream();
    const end = stream.next();
    expect(await stream.return?.()).toEqual(DONE);
    expect(await end).toEqual(DONE);
    results.push({ data: { n: 1 } });
    await nextTurn();
    expect([state.returned, sent]).toEqual([1, []]);
  });
});
