import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, jest, test } from '@jest/globals';
import { mongo } from 'mongoose';
import { until } from '../../../test/support/until.ts';
import { quiet } from './testing.ts';
import { type ChangeStream, createWatcher } from './watcher.ts';

/** A change stream whose answers the test gives. */
class Stream implements ChangeStream<string> {
  readonly close = jest.fn(async () => undefined);
  closed = false;
  /** When the server was asked for more. */
  readonly askedAt: number[] = [];
  /** When the server answered. */
  readonly answeredAt: number[] = [];
  private readonly buffer: string[] = [];
  private onOpen: () => void = () => undefined;
  private onAnswer: ((changes: readonly string[]) => void) | undefined;
  private onError: (error: unknown) => void = () => undefined;

  once(_event: 'resumeTokenChanged', listener: () => void) {
    this.onOpen = listener;
  }

  bufferedCount() {
    return this.buffer.length;
  }

  async tryNext() {
    if (this.buffer.length === 0) {
      this.askedAt.push(performance.now());
      const changes = await new Promise<readonly string[]>((resolve, reject) => {
        this.onAnswer = resolve;
        this.onError = reject;
      });
      this.buffer.push(...changes);
    }
    return this.buffer.shift() ?? null;
  }

  open() {
    this.onOpen();
  }

  async answer(...changes: string[]) {
    await until('somebody to ask', () => this.onAnswer !== undefined);
    const answer = this.onAnswer;
    this.onAnswer = undefined;
    this.answeredAt.push(performance.now());
    answer?.(changes);
  }

  fail(error: unknown) {
    this.onError(error);
  }
}

function bench() {
  const streams: Stream[] = [];
  const onOpen = jest.fn();
  const onChanges = jest.fn<(changes: readonly string[]) => void>();
  const watcher = createWatcher<string>({
    log: quiet,
    onOpen,
    onChanges,
    open: () => {
      const stream = new Stream();
      streams.push(stream);
      return stream;
    },
  });
  const last = () => streams.at(-1) as Stream;
  return { streams, last, onOpen, onChanges, watcher };
}

describe('a watcher', () => {
  test('should report its opening, and the changes of an answer together, and close on stop', async () => {
    const { streams, last, onOpen, onChanges, watcher } = bench();
    watcher.start();
    watcher.start();
    expect(streams).toHaveLength(1);
    expect(onOpen).not.toHaveBeenCalled();
    expect(watcher.isPrompt()).toBe(false);
    last().open();
    expect(onOpen).toHaveBeenCalledTimes(1);
    expect(watcher.isPrompt()).toBe(true);
    await last().answer('a', 'b', 'c');
    await until('the report', () => onChanges.mock.calls.length === 1);
    expect(onChanges).toHaveBeenCalledWith(['a', 'b', 'c']);
    await watcher.stop();
    expect(last().close).toHaveBeenCalled();
    expect(watcher.isPrompt()).toBe(false);
  });

  test('should report a change at once, and wait for further ones before it reads again', async () => {
    const { last, onChanges, watcher } = bench();
    watcher.start();
    await last().answer('a');
    await until('it asks again', () => last().askedAt.length === 2);
    expect(onChanges).toHaveBeenCalledTimes(1);
    // From the answer, not from the report: the watcher may stand still between them. Timers may fire a millisecond early.
    expect(Number(last().askedAt[1]) - Number(last().answeredAt[0])).toBeGreaterThan(38);
    await watcher.stop();
  });

  test.each([
    ['there is always something', ['change']],
    ['answers without changes come quickly', []],
  ])('should ask four times a second at most in the long run when %s', async (_when, changes) => {
    const { last, watcher } = bench();
    const from = performance.now();
    watcher.start();
    for (let answer = 0; answer < 9; answer += 1) {
      await last().answer(...changes);
    }
    // Four that are 40 ms apart, one that catches up, and three that are 250 ms apart.
    expect(performance.now() - from).toBeGreaterThan(950);
    await watcher.stop();
  });

  test('should ask again at once after it has waited for an answer without changes', async () => {
    const { last, onChanges, watcher } = bench();
    watcher.start();
    await delay(60);
    await last().answer();
    await delay(5);
    expect(last().askedAt).toHaveLength(2);
    expect(onChanges).not.toHaveBeenCalled();
    await watcher.stop();
  });

  test('should open again after an error and after the end, and report each opening', async () => {
    const { streams, last, onOpen, watcher } = bench();
    watcher.start();
    last().open();
    last().fail(new Error('gone'));
    await until('another stream', () => streams.length === 2);
    expect(watcher.isPrompt()).toBe(false);
    expect(streams[0]?.close).toHaveBeenCalled();
    last().open();
    expect(onOpen).toHaveBeenCalledTimes(2);
    last().closed = true;
    await last().answer();
    await until('a third stream', () => streams.length === 3);
    last().fail(new Error('gone again'));
    await watcher.stop();
    await delay(300);
    expect(streams).toHaveLength(3);
  });

  test('should not try again on a store without change streams', async () => {
    const { streams, last, watcher } = bench();
    watcher.start();
    last().fail(new mongo.MongoServerError({ message: 'replica sets only', code: 40_573 }));
    await delay(300);
    expect(streams).toHaveLength(1);
    await watcher.stop();
  });
});
