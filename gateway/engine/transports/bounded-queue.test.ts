import { describe, expect, test } from '@jest/globals';
import { BoundedQueue, type QueueOptions } from './bounded-queue.ts';

const DONE = { value: undefined, done: true };
const valued = (value: string) => ({ value, done: false });

function open(options: Partial<QueueOptions<string>> = {}) {
  const calls: string[] = [];
  const queue = new BoundedQueue<string>({
    limit: 3,
    taken: (value) => void calls.push(`taken ${value}`),
    over: (failure) => void calls.push(failure === undefined ? 'over' : `failed ${failure.error}`),
    returned: () => void calls.push('returned'),
    ...options,
  });
  return { queue, calls, push: (...values: string[]) => values.map((value) => queue.push(value)) };
}

describe('a bounded queue', () => {
  test('has every value in order, whether readers or values wait', async () => {
    const { queue, calls, push } = open();
    const early = [queue.next(), queue.next()];
    expect(push('a', 'b', 'c', 'd')).toEqual([true, true, true, true]);
    expect(queue.size).toBe(2);
    queue.end();
    expect(queue.isOver).toBe(true);
    expect(await Promise.all([...early, queue.next(), queue.next()])).toEqual(
      ['a', 'b', 'c', 'd'].map(valued),
    );
    expect([await queue.next(), await queue.next()]).toEqual([DONE, DONE]);
    expect(calls).toEqual(['taken a', 'taken b', 'taken c', 'taken d', 'over', 'over']);
  });

  test('does not take one value more than its limit, until one is read', async () => {
    const { queue, push } = open();
    expect(push('a', 'b', 'c', 'd')).toEqual([true, true, true, false]);
    expect(await queue.next()).toEqual(valued('a'));
    expect(push('e', 'f')).toEqual([true, false]);
    queue.clear();
    expect(queue.size).toBe(0);
    expect(push('g')).toEqual([true]);
    expect(await queue.next()).toEqual(valued('g'));
  });

  test('does not take too many bytes; a single value may have any size, and one that goes to a reader does not count', async () => {
    const { queue, push } = open({ maxBytes: 10, sizeOf: (value) => value.length });
    const first = queue.next();
    expect(push('a'.repeat(50), 'b'.repeat(50), 'c')).toEqual([true, true, false]);
    await first;
    expect(await queue.next()).toEqual(valued('b'.repeat(50)));
    expect(push('c'.repeat(6), 'd'.repeat(4), 'e')).toEqual([true, true, false]);
    queue.clear();
    expect(push('c'.repeat(6), 'd'.repeat(5))).toEqual([true, false]);
  });

  test('counts the bytes of the values that wait, as given with them or by their size', async () => {
    const { queue } = open({ sizeOf: (value) => value.length });
    queue.push('a', 50);
    queue.push('bb');
    expect(queue.bytes).toBe(52);
    await queue.next();
    expect(queue.bytes).toBe(2);
    queue.clear();
    expect(queue.bytes).toBe(0);
  });

  test('gives its failure once, after the values before; the first end counts', async () => {
    const { queue, calls, push } = open();
    push('a');
    queue.fail(new Error('broken'));
    queue.fail(new Error('again'));
    queue.end();
    expect(push('late')).toEqual([false]);
    expect(await queue.next()).toEqual(valued('a'));
    await expect(queue.next()).rejects.toThrow('broken');
    expect(await queue.next()).toEqual(DONE);
    expect(calls).toEqual(['taken a', 'failed Error: broken', 'over']);
  });

  test('gives its failure to the first of the readers that wait', async () => {
    const { queue } = open();
    const readers = [queue.next(), queue.next()];
    queue.fail(new Error('broken'));
    const results = await Promise.allSettled(readers);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  test('ends at once by return, while a reader waits, and reports it while it has not ended', async () => {
    const { queue, calls, push } = open();
    const waiting = queue.next();
    expect(await queue.return()).toEqual(DONE);
    expect(await waiting).toEqual(DONE);
    await queue.return();
    expect(push('late')).toEqual([false]);
    expect(calls).toEqual(['over', 'returned']);
  });

  test('drops by return the values that wait, and the failure after them', async () => {
    const { queue, calls, push } = open();
    push('a', 'b');
    queue.fail(new Error('broken'));
    await queue.return();
    expect(await queue.next()).toEqual(DONE);
    expect(calls).toEqual(['over']);
  });
});
