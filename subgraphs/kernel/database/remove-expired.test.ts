import { describe, expect, test } from '@jest/globals';
import { removeInRounds } from './remove-expired.ts';

describe('removeInRounds', () => {
  test('goes on as long as rounds are full', async () => {
    const left = [100, 100, 7];
    const limits: number[] = [];
    const removed = await removeInRounds((most) => {
      limits.push(most);
      return Promise.resolve(left.shift() ?? 0);
    }, new AbortController().signal);
    expect(removed).toBe(207);
    expect(limits).toEqual([100, 100, 100]);
  });

  test('pauses between rounds for four times as long as a round took', async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    await removeInRounds(async (most) => {
      begun.push(performance.now());
      await new Promise((resolve) => setTimeout(resolve, 25));
      ended.push(performance.now());
      return begun.length < 3 ? most : 0;
    }, new AbortController().signal);
    for (const round of [0, 1]) {
      const took = ended[round]! - begun[round]!;
      expect(begun[round + 1]! - ended[round]!).toBeGreaterThan(took * 3.5);
    }
  });

  test('ends in its pause and begins no round when the process stops', async () => {
    const stopping = new AbortController();
    let rounds = 0;
    const endless = (most: number) => {
      rounds += 1;
      setTimeout(() => stopping.abort(), 1);
      return Promise.resolve(most);
    };
    expect(await removeInRounds(endless, stopping.signal)).toBe(100);
    expect(await removeInRounds(endless, stopping.signal)).toBe(0);
    expect(rounds).toBe(1);
  });

  test('throws the error of a round', async () => {
    const round = () => Promise.reject(new Error('down'));
    await expect(removeInRounds(round, new AbortController().signal)).rejects.toThrow('down');
  });
});
