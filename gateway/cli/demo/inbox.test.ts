import { describe, expect, test } from '@jest/globals';
import { createInbox } from './inbox.ts';

const running = () => new AbortController().signal;
const even = (value: number) => value % 2 === 0;

describe('an inbox', () => {
  test('returns earlier items in order', async () => {
    const inbox = createInbox<number>();
    for (const value of [1, 2, 3, 4]) {
      inbox.put(value);
    }
    expect(await inbox.collect(2, even, running())).toEqual([2, 4]);
  });

  test('waits for the requested number', async () => {
    const inbox = createInbox<number>();
    let found: number[] | undefined;
    const collecting = inbox.collect(2, even, running()).then((values) => {
      found = values;
    });
    inbox.put(2);
    await new Promise(setImmediate);
    expect(found).toBeUndefined();
    inbox.put(4);
    await collecting;
    expect(found).toEqual([2, 4]);
  });

  test('after its end, waiting and later calls fail with the reason', async () => {
    const inbox = createInbox<number>();
    const waiting = expect(inbox.collect(1, even, running())).rejects.toThrow('closed');
    inbox.fail(new Error('closed'));
    await waiting;
    await expect(inbox.collect(1, even, running())).rejects.toThrow('closed');
  });

  test('stops waiting on the signal', async () => {
    const controller = new AbortController();
    const waiting = createInbox<number>().collect(1, even, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toThrow('aborted');
  });
});
