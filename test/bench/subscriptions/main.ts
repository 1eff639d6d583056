import { parseArgs } from 'node:util';
import { type Stand, withStand } from '../stand.ts';
import { measureFanOut } from './fanout.ts';
import { measureHostile } from './hostile.ts';
import { measurePolling } from './polling.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    subscribers: { type: 'string' },
    changes: { type: 'string', default: '6' },
    seconds: { type: 'string' },
  },
});

const MEASUREMENTS: Readonly<Record<string, (stand: Stand) => Promise<void>>> = {
  fanout: (stand) =>
    measureFanOut(stand, {
      subscribers: Number(options.subscribers ?? 10_000),
      changes: Number(options.changes),
      idleSeconds: Number(options.seconds ?? 15),
    }),
  polling: (stand) =>
    measurePolling(stand, {
      operations: Number(options.subscribers ?? 1_000),
      changesPerSecond: 10,
      seconds: Number(options.seconds ?? 15),
    }),
  hostile: (stand) =>
    measureHostile(stand, {
      subscribers: Number(options.subscribers ?? 1_000),
      seconds: Number(options.seconds ?? 8),
    }),
};

/** `npm run bench:subscriptions`: the README has its options. */
async function main(): Promise<void> {
  const wanted = options.only?.split(',') ?? Object.keys(MEASUREMENTS);
  await withStand(async (stand) => {
    for (const name of wanted) {
      const measure = MEASUREMENTS[name];
      if (measure === undefined) {
        throw new Error(`There is no measurement ${name}; there are ${Object.keys(MEASUREMENTS).join(', ')}`);
      }
      await measure(stand);
    }
  });
}

await main();
