import { expect, test } from '@jest/globals';
import { createJudge, describeRatio, inTurns, ratioOf } from './compare.ts';
import { costOf, perCall, readCommands } from './cost.ts';

test('there is a verdict on a quiet machine only', () => {
  const quiet = createJudge(1);
  expect([quiet.verdict(true), quiet.verdict(false)]).toEqual(['met', 'missed']);
  const busy = createJudge(2.34);
  expect([busy.verdict(true), busy.verdict(false)]).toEqual(
    new Array(2).fill('no verdict: load average 2.3'),
  );
});

test('sides take turns, and each begins as often as the other', async () => {
  const order: string[] = [];
  const results = await inTurns(['a', 'b'], 3, async (side) => {
    order.push(side);
    return order.length;
  });
  expect(order).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
  expect([...results]).toEqual([
    ['a', [1, 4, 5]],
    ['b', [2, 3, 6]],
  ]);
});

test('ratios are those of rounds, with their median and their spread', () => {
  const ratio = ratioOf([10, 30, 20], [10, 20, 40]);
  expect(ratio).toEqual({ median: 1, low: 0.5, high: 1.5 });
  expect(describeRatio(ratio)).toBe('1.00 (0.50 to 1.50)');
  expect(() => ratioOf([1], [])).toThrow('1 rounds');
});

test('commands are those of work, not those that keep a connection', () => {
  const counts = { find: 7, bulkWrite: 2, hello: 90, ping: 1, serverStatus: 4, '<UNKNOWN>': 0 };
  const commands = Object.fromEntries(
    Object.entries(counts).map(([name, total]) => [
      name,
      name.startsWith('<') ? total : { total, failed: 0 },
    ]),
  );
  expect(readCommands({ metrics: { commands } })).toBe(9);
  expect(readCommands({})).toBeNaN();
});

test('a cost is the use between two readings, and can be given for each call', () => {
  const before = { commands: 100, conflicts: 1, processMs: 50, storeMs: 10 };
  const after = { commands: 160, conflicts: 3, processMs: 90, storeMs: 30 };
  const cost = costOf(before, after);
  expect(cost).toEqual({ commands: 60, conflicts: 2, processMs: 40, storeMs: 20 });
  expect(perCall(cost, 20)).toEqual({ commands: 3, conflicts: 0.1, processMs: 2, storeMs: 1 });
});
