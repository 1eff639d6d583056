import { describe, expect, test } from '@jest/globals';
import { mapEventStream } from './event-stream.ts';
import { onStreamEnd } from './on-stream-end.ts';

function createSource() {
  let deliver: ((result: IteratorResult<number>) => void) | null = null;
  const state = { returned: 0, read: 0 };
  const source: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        state.read += 1;
        return new Promise<IteratorResult<number>>((resolve) => {
          deliver = resolve;
        });
      },
      return: () => {
        state.returned += 1;
        return new Promise(() => undefined);
      },
    }),
  };
  return { source, state, emit: (value: number) => deliver?.({ value, done: false }) };
}

const double = {
  map: async (value: number) => value * 2,
  failed: (error: unknown) => String(error),
  endFailed: () => undefined,
};

describe('mapEventStream', () => {
  test('maps events in order and ends with its source', async () => {
    async function* source() {
      yield 1;
      yield 2;
    }
    const results: unknown[] = [];
    for await (const value of mapEventStream<number, number | string>(source(), double)) {
      results.push(value);
    }
    expect(results).toEqual([2, 4]);
  });

  test('answers queued calls of next in order, and reads the source once at a time', async () => {
    const { source, state, emit } = createSource();
    const stream = mapEventStream<number, number | string>(source, double);
    const calls = [stream.next(), stream.next()];
    await Promise.resolve();
    expect(state.read).toBe(1);
    emit(1);
    expect(await calls[0]).toEqual({ value: 2, done: false });
    await Promise.resolve();
    expect(state.read).toBe(2);
    emit(2);
    expect(await calls[1]).toEqual({ value: 4, done: false });
  });

  test('return ends a waiting next at once, even if the source never answers', async () => {
    const { source, state } = createSource();
    const stream = mapEventStream<number, number | string>(source, double);
    const waiting = stream.next();
    await Promise.resolve();
    expect(await stream.return?.()).toEqual({ value: undefined, done: true });
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(await stream.next()).toEqual({ value: undefined, done: true });
    await stream.return?.();
    expect(state.returned).toBe(1);
  });

  test('an aborted signal does the same, before and during the stream', async () => {
    const controller = new AbortController();
    const { source, state } = createSource();
    const stream = mapEventStream<number, number | string>(source, double, controller.signal);
    const waiting = stream.next();
    controller.abort();
    expect(await waiting).toEqual({ value: undefined, done: true });
    expect(state.returned).toBe(1);

    const late = createSource();
    const ended = mapEventStream<number, number | string>(late.source, double, controller.signal);
    expect(await ended.next()).toEqual({ value: undefined, done: true });
    expect(late.state).toEqual({ returned: 1, read: 0 });
  });

  test('a source that cannot end is reported', async () => {
    const reported: unknown[] = [];
    const source: AsyncIterable<number> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => undefined),
        return: () => {
          throw new Error('stuck');
        },
      }),
    };
    const stream = mapEventStream<number, number | string>(source, {
      ...double,
      endFailed: (error) => reported.push(error),
    });
    await stream.return?.();
    expect(await stream.next()).toEqual({ value: undefined, done: true });
    expect(reported).toEqual([new Error('stuck')]);
  });

  test('a failing source gives one last result', async () => {
    async function* source(): AsyncGenerator<number> {
      yield 1;
      throw new Error('broken');
    }
    const stream = mapEventStream<number, number | string>(source(), double);
    expect(await stream.next()).toEqual({ value: 2, done: false });
    expect(await stream.next()).toEqual({ value: 'Error: broken', done: false });
    expect(await stream.next()).toEqual({ value: undefined, done: true });
  });

  test('an event that cannot be mapped gives one last result, and ends the source', async () => {
    const { source, state, emit } = createSource();
    const stream = mapEventStream<number, number | string>(source, {
      ...double,
      map: () => Promise.reject(new Error('broken')),
    });
    const waiting = stream.next();
    await Promise.resolve();
    emit(1);
    expect(await waiting).toEqual({ value: 'Error: broken', done: false });
    expect(state.returned).toBe(1);
    expect(await stream.next()).toEqual({ value: undefined, done: true });
    await stream.return?.();
    expect(state.returned).toBe(1);
  });

  test.each<[string, (stream: AsyncIterableIterator<unknown>) => unknown]>([
    ['completed', async (stream) => stream.next()],
    ['failed', async (stream) => stream.next()],
    ['stopped', (stream) => stream.return?.()],
  ])('reports to every listener that it is %s, also afterwards, without a wrapper', async (how, end) => {
    const read: () => Promise<IteratorResult<number>> =
      how === 'failed'
        ? () => Promise.reject(new Error('broken'))
        : async () => ({ value: undefined, done: true });
    const source = { [Symbol.asyncIterator]: () => ({ next: read }) };
    const ends: string[] = [];
    const stream = mapEventStream<number, number | string>(source, double);
    expect(onStreamEnd(stream, (seen) => ends.push(`one ${seen}`))).toBe(stream);
    onStreamEnd(stream, (seen) => ends.push(`two ${seen}`));
    expect(ends).toEqual([]);
    await end(stream);
    await stream.return?.();
    onStreamEnd(stream, (seen) => ends.push(`late ${seen}`));
    expect(ends).toEqual([`one ${how}`, `two ${how}`, `late ${how}`]);
  });

  test('a last result that cannot be made fails the read', async () => {
    const { source, emit } = createSource();
    const broken = mapEventStream<number, number>(source, {
      map: () => {
        throw new Error('broken');
      },
      failed: () => Promise.reject(new Error('no last result')),
      endFailed: () => undefined,
    });
    const read = broken.next();
    emit(1);
    await expect(read).rejects.toThrow('no last result');
    expect(await broken.next()).toEqual({ value: undefined, done: true });
  });
});
