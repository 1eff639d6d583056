import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createLoop } from './loop.ts';
import { createOutage } from './outage.ts';

test('loops of one outage report it once: when the first fails, and when none that runs fails any more', async () => {
  const lines: unknown[] = [];
  const log = {
    error: (_fields: object, event: string) => void lines.push(event),
    info: (_fields: object, event: string) => void lines.push(event),
  };
  const outage = createOutage(log as Parameters<typeof createOutage>[0], 'test');
  let [failures, successes] = [0, 0];
  const failing = createLoop({
    outage,
    step: async () => {
      failures += 1;
      throw new Error('away');
    },
  });
  const working = createLoop({
    outage,
    step: async () => {
      successes += 1;
      return 1;
    },
  });
  failing.start();
  working.start();
  while (failures < 2 || successes < 2) {
    await sleep(5);
  }
  expect(lines).toEqual(['events.outage_began']);
  await failing.stop();
  expect(lines).toEqual(['events.outage_began', 'events.outage_ended']);
  await working.stop();
});
