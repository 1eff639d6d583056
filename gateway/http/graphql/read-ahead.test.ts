import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { createEventQueue } from '../../engine/testing/index.ts';
import { readAhead, type WaitingLimits } from './read-ahead.ts';

const DONE = { value: undefined, done: true };
const valued = (value: string) => ({ value, done: false });

function openStream(limits: Partial<WaitingLimits> = {}) {
  const state = { returned: 0, taken: 0 };
  const source = createEventQueue<string>({
    returned: () => {
      state.returned += 1;
    },
    taken: () => {
      state.taken += 1;
    },
  });
  const stream = readAhead(source.values, {
    limits: { events: 3, bytes: 100, ...limits },
    sizeOf: (value) => value.length,
    readsOn: (value) => !value.startsWith('old'),
    tooSlow: (last) => new Error(`too slow after ${last}`),
  });
  return { state, source, stream, push: (...values: string[]) => values.forEach(source.push) };
}

describe('a stream read ahead', () => {
  test('has every value in order, whether the reader or the values wait', async () => {
    const { source, stream, push } = openStream();
    const first = stream.next();
    push('a', 'b', 'c');
    expect(await first).toEqual(valued('a'));
    await nextTurn();
    push('d');
    source.end();
    expect([await stream.next(), await stream.next(), await stream.next()]).toEqual(
      ['b', 'c', 'd'].map(valued),
    );
    expect([await stream.next(), await stream.next()]).toEqual([DONE, DONE]);
  });

  test('fails when one value more waits than allowed, drops the waiting values, and ends its source', async () => {
    const { state, stream, push } = openStream();
    const first = stream.next();
    push('a', 'b', 'c', 'd');
    expect(await first).toEqual(valued('a'));
    await nextTurn();
    expect(state.returned).toBe(0);
    push('e');
    await nextTurn();
    expect(state.returned).toBe(1);
    await expect(stream.next()).rejects.toThrow('too slow after a');
    expect(await stream.next()).toEqual(DONE);
    await stream.return?.();
    expect(state.returned).toBe(1);
  });

  test('fails in the same way with too many waiting bytes; a single value may have any size', async () => {
    const { stream, push } = openStream({ bytes: 10 });
    const first = stream.next();
    push('a', 'b'.repeat(50));
    await first;
    await nextTurn();
    expect(await stream.next()).toEqual(valued('b'.repeat(50)));
    push('c'.repeat(6), 'd'.repeat(6));
    await nextTurn();
    await expect(stream.next()).rejects.toThrow('too slow after bbb');
  });

  test('is not read ahead behind values for which the reader sets the pace', async () => {
    const { state, stream, push } = openStream();
    push('old 1', 'old 2', 'old 3', 'old 4', 'old 5', 'new 1', 'new 2');
    expect(await stream.next()).toEqual(valued('old 1'));
    await nextTurn();
    expect(state.taken).toBe(1);
    for (const value of ['old 2', 'old 3', 'old 4', 'old 5', 'new 1', 'new 2']) {
      expect(await stream.next()).toEqual(valued(value));
    }
  });

  test('reports the failure of its source once, after the earlier values', async () => {
    const { source, stream, push } = openStream();
    const first = stream.next();
    push('a', 'b');
    await first;
    await nextTurn();
    source.fail(new Error('broken'));
    await nextTurn();
    expect(await stream.next()).toEqual(valued('b'));
    await expect(stream.next()).rejects.toThrow('broken');
    expect(await stream.next()).toEqual(DONE);
  });

  test('return ends a waiting next and the source, and drops the waiting values', async () => {
    const { state, stream, push } = openStream();
    const waiting = stream.next();
    await stream.return?.();
    expect(await waiting).toEqual(DONE);
    expect(state.returned).toBe(1);
    const other = openStream();
    const first = other.stream.next();
    other.push('a', 'b');
    await first;
    await nextTurn();
    await other.stream.return?.();
    expect(await other.stream.next()).toEqual(DONE);
    push('late');
    expect(await stream.next()).toEqual(DONE);
  });
});
