import { describe, expect, test } from '@jest/globals';
import { createBatches } from './batches.ts';

/** Runs batches on request; an item `bad` fails whatever batch it is in. */
function harness(largest: number, isCommon?: (error: unknown) => boolean) {
  const batches: string[][] = [];
  const gates: (() => void)[] = [];
  const call = createBatches<string, string>(
    async (items) => {
      batches.push([...items]);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (items.includes('bad')) {
        throw new Error(`failed with ${items.length}`);
      }
      return items.map((item) => `${item}!`);
    },
    largest,
    isCommon,
  );
  const finish = async (settled: Promise<unknown>) => {
    let done = false;
    void settled.finally(() => {
      done = true;
    });
    while (!done) {
      gates.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { batches, call, finish };
}

describe('createBatches', () => {
  test('the first goes at once, those that come meanwhile go together, in order', async () => {
    const { batches, call, finish } = harness(3);
    const all = Promise.all(['a', 'b', 'c', 'd', 'e'].map(call));
    expect(batches).toEqual([['a']]);
    await finish(all);
    expect(await all).toEqual(['a!', 'b!', 'c!', 'd!', 'e!']);
    expect(batches).toEqual([['a'], ['b', 'c', 'd'], ['e']]);
  });

  test('one that fails does not take the others of its batch with it', async () => {
    const { batches, call, finish } = harness(10);
    const all = Promise.allSettled(['a', 'b', 'bad', 'c'].map(call));
    await finish(all);
    expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      'a!',
      'b!',
      'failed with 1',
      'c!',
    ]);
    expect(batches).toEqual([['a'], ['b', 'bad', 'c'], ['b'], ['bad'], ['c']]);
  });

  test('an error that has nothing to do with the items goes to all of the batch, which is not run again', async () => {
    const { batches, call, finish } = harness(10, () => true);
    const all = Promise.allSettled(['a', 'b', 'bad', 'c'].map(call));
    await finish(all);
    expect((await all).map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      'a!',
      'failed with 3',
      'failed with 3',
      'failed with 3',
    ]);
    expect(batches).toEqual([['a'], ['b', 'bad', 'c']]);
  });

  test('works again after it was idle', async () => {
    const { call, finish } = harness(10);
    for (const item of ['a', 'b']) {
      const one = call(item);
      await finish(one);
      expect(await one).toBe(`${item}!`);
    }
  });
});
