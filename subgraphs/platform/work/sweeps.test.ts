import { expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { createSweeps } from './sweeps.ts';

test('sweeps come at once and again and again, also behind one that fails, and never two at a time', async () => {
  const lines: unknown[] = [];
  let [begun, running, most] = [0, 0, 0];
  const sweeps = createSweeps({
    worker: {
      sweep: async () => {
        begun += 1;
        running += 1;
        most = Math.max(most, running);
        await new Promise((resolve) => setTimeout(resolve, 5));
        running -= 1;
        if (begun === 2) {
          throw new Error('away');
        }
      },
    },
    everyMs: 4,
    name: 'test',
    log: { error: (_fields: unknown, message?: string) => void lines.push(message) } as never,
  });
  sweeps.start();
  sweeps.start();
  expect(begun).toBe(1);
  await until('four', () => begun >= 4);
  await sweeps.stop();
  expect(running).toBe(0);
  const ended = begun;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(begun).toBe(ended);
  expect(most).toBe(1);
  expect(lines).toEqual(['test.sweep_failed']);
});

test('a stop before the start, or during a pause, does not wait', async () => {
  let begun = 0;
  const deps = {
    worker: {
      sweep: async () => {
        begun += 1;
      },
    },
    everyMs: 3_600_000,
    name: 'test',
    log: { error: () => undefined } as never,
  };
  await createSweeps(deps).stop();
  const sweeps = createSweeps(deps);
  sweeps.start();
  await until('the first one', () => begun === 1);
  await sweeps.stop();
  expect(begun).toBe(1);
});
