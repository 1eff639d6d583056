import { describe, expect, test } from '@jest/globals';
import { createStreamDrain } from './drain.ts';

function openDrain(count: number, seconds: number) {
  const ended: number[] = [];
  const pauses: { readonly ms: number; readonly ended: number }[] = [];
  let chance = 1;
  const drain = createStreamDrain({
    seconds,
    random: () => {
      chance = (chance * 16_807) % 2_147_483_647;
      return chance / 2_147_483_647;
    },
    sleep: async (ms) => void pauses.push({ ms, ended: ended.length }),
  });
  const leave = Array.from({ length: count }, (_, id) => drain.add(() => ended.push(id)));
  return { drain, ended, pauses, leave };
}

describe('a drain', () => {
  test('ends many in batches of about the same size, in another order, with pauses of different length', async () => {
    const { drain, ended, pauses } = openDrain(1_000, 5);
    await drain.run();
    expect(ended.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, id) => id));
    expect(ended.slice(0, 50)).not.toEqual(Array.from({ length: 50 }, (_, id) => id));
    expect(pauses.map((pause) => pause.ended)).toEqual(
      Array.from({ length: 19 }, (_, index) => 50 * (index + 1)),
    );
    expect(new Set(pauses.map(({ ms }) => ms)).size).toBeGreaterThan(3);
    for (const { ms } of pauses) {
      expect(ms).toBeGreaterThanOrEqual(125);
      expect(ms).toBeLessThan(375);
    }
  });

  test('ends few at once', async () => {
    const { drain, ended, pauses } = openDrain(25, 5);
    await drain.run();
    expect([ended.length, pauses]).toEqual([25, []]);
  });

  test('with no time, ends all at once', async () => {
    const { drain, ended, pauses } = openDrain(1_000, 0);
    await drain.run();
    expect([ended.length, pauses]).toEqual([1_000, []]);
  });

  test('skips streams that have ended, includes streams that open meanwhile, and ends later ones at once', async () => {
    const { drain, ended, leave } = openDrain(3, 5);
    leave[1]?.();
    await drain.run();
    expect(ended.toSorted()).toEqual([0, 2]);
    drain.add(() => ended.push(9));
    expect(ended.at(-1)).toBe(9);
  });
});
