import { EventEmitter } from 'node:events';
import { describe, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { quiet } from './testing.ts';
import { createWatcher } from './watcher.ts';

function bench() {
  const streams: (EventEmitter & { close: jest.Mock<() => Promise<void>> })[] = [];
  const onChange = jest.fn();
  const watcher = createWatcher({
    log: quiet,
    onChange,
    open: () => {
      const stream = Object.assign(new EventEmitter(), { close: jest.fn(async () => undefined) });
      streams.push(stream);
      return stream as never;
    },
  });
  return { streams, onChange, watcher };
}

describe('a watcher', () => {
  test('wakes on opening and on each change, and closes on stop', async () => {
    const { streams, onChange, watcher } = bench();
    watcher.start();
    watcher.start();
    expect(streams).toHaveLength(1);
    expect(onChange).not.toHaveBeenCalled();
    streams[0]!.emit('resumeTokenChanged', {});
    expect(onChange).toHaveBeenCalledTimes(1);
    streams[0]!.emit('change', {});
    expect(onChange).toHaveBeenCalledTimes(2);
    await watcher.stop();
    expect(streams[0]!.close).toHaveBeenCalledTimes(1);
  });

  test.each(['error', 'close'])('opens again after %s, and wakes for what it missed', async (event) => {
    jest.useFakeTimers();
    try {
      const { streams, onChange, watcher } = bench();
      watcher.start();
      streams[0]!.emit(event, new Error('gone'));
      expect(streams[0]!.close).toHaveBeenCalledTimes(1);
      jest.advanceTimersByTime(100);
      expect(streams).toHaveLength(2);
      streams[1]!.emit('resumeTokenChanged', {});
      expect(onChange).toHaveBeenCalledTimes(1);
      streams[1]!.emit(event, new Error('gone again'));
      jest.advanceTimersByTime(199);
      expect(streams).toHaveLength(2);
      await watcher.stop();
      jest.advanceTimersByTime(60_000);
      expect(streams).toHaveLength(2);
    } finally {
      jest.useRealTimers();
    }
  });

  test('should not try again on a store without change streams', async () => {
    jest.useFakeTimers();
    try {
      const { streams, watcher } = bench();
      watcher.start();
      streams[0]!.emit('error', new mongo.MongoServerError({ message: 'replica sets only', code: 40_573 }));
      jest.advanceTimersByTime(60_000);
      expect(streams).toHaveLength(1);
      await watcher.stop();
    } finally {
      jest.useRealTimers();
    }
  });
});
