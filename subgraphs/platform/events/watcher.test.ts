import { EventEmitter } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { SPACING_MS } from './loop.ts';
import { quiet } from './testing.ts';
import { createWatcher } from './watcher.ts';

/** A change stream whose answers the test gives. */
function createStream() {
  const asked: { answer(change: object | null): void; fail(error: Error): void }[] = [];
  const state = { buffered: 0 };
  const stream = Object.assign(new EventEmitter(), {
    tryNext: () =>
      new Promise<object | null>((answer, fail) => {
        asked.push({ answer, fail });
      }),
    bufferedCount: () => state.buffered,
    close: jest.fn(async () => undefined),
  });
  return { stream, asked, state };
}

function bench() {
  const streams: ReturnType<typeof createStream>[] = [];
  const onChange = jest.fn();
  const watcher = createWatcher({
    log: quiet,
    onChange,
    open: () => {
      const opened = createStream();
      streams.push(opened);
      return opened.stream as never;
    },
  });
  return { streams, onChange, watcher };
}

/** Lets everything happen that waits for no timer. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await Promise.resolve();
  }
}

async function advance(ms: number): Promise<void> {
  jest.advanceTimersByTime(ms);
  await settle();
}

async function withFakeTimers(run: () => Promise<void>): Promise<void> {
  jest.useFakeTimers();
  try {
    await run();
  } finally {
    jest.useRealTimers();
  }
}

describe('a watcher', () => {
  test('should wake once on opening and at each change, and close on stop', async () => {
    await withFakeTimers(async () => {
      const { streams, onChange, watcher } = bench();
      watcher.start();
      watcher.start();
      expect(streams).toHaveLength(1);
      const [{ stream, asked }] = streams as [ReturnType<typeof createStream>];
      expect(onChange).not.toHaveBeenCalled();
      stream.emit('resumeTokenChanged', {});
      stream.emit('resumeTokenChanged', {});
      expect(onChange).toHaveBeenCalledTimes(1);
      asked[0]!.answer({});
      await settle();
      expect(onChange).toHaveBeenCalledTimes(2);
      await watcher.stop();
      expect(stream.close).toHaveBeenCalledTimes(1);
      await advance(60_000);
      expect(asked).toHaveLength(1);
    });
  });

  test.each([
    ['with a change', {}, 1],
    ['without', null, 0],
  ])('should pause after an answer %s', async (_name, change, wakes) => {
    await withFakeTimers(async () => {
      const { streams, onChange, watcher } = bench();
      watcher.start();
      const [{ asked }] = streams as [ReturnType<typeof createStream>];
      asked[0]!.answer(change);
      await settle();
      expect(onChange).toHaveBeenCalledTimes(wakes);
      await advance(SPACING_MS - 1);
      expect(asked).toHaveLength(1);
      await advance(1);
      expect(asked).toHaveLength(2);
      await watcher.stop();
    });
  });

  test('should take all changes of one answer without a pause', async () => {
    await withFakeTimers(async () => {
      const { streams, onChange, watcher } = bench();
      watcher.start();
      const [{ asked, state }] = streams as [ReturnType<typeof createStream>];
      state.buffered = 1;
      asked[0]!.answer({});
      await settle();
      expect(asked).toHaveLength(2);
      state.buffered = 0;
      asked[1]!.answer({});
      await settle();
      expect(onChange).toHaveBeenCalledTimes(2);
      expect(asked).toHaveLength(2);
      await watcher.stop();
    });
  });

  test('should open again after an error, later and later, and wake for what it missed', async () => {
    await withFakeTimers(async () => {
      const { streams, onChange, watcher } = bench();
      watcher.start();
      streams[0]!.asked[0]!.fail(new Error('gone'));
      await settle();
      expect(streams[0]!.stream.close).toHaveBeenCalledTimes(1);
      await advance(100);
      expect(streams).toHaveLength(2);
      streams[1]!.stream.emit('resumeTokenChanged', {});
      expect(onChange).toHaveBeenCalledTimes(1);
      streams[1]!.asked[0]!.fail(new Error('gone again'));
      await settle();
      await advance(199);
      expect(streams).toHaveLength(2);
      await watcher.stop();
      await advance(60_000);
      expect(streams).toHaveLength(2);
    });
  });

  test('should not try again on a store without change streams', async () => {
    await withFakeTimers(async () => {
      const { streams, watcher } = bench();
      watcher.start();
      const error = new mongo.MongoServerError({ message: 'replica sets only', code: 40_573 });
      streams[0]!.asked[0]!.fail(error);
      await settle();
      await advance(60_000);
      expect(streams).toHaveLength(1);
      await watcher.stop();
    });
  });
});
