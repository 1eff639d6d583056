import { parseArgs } from 'node:util';
import { type Stand, withStand } from './stand.ts';
import { measureBacklog } from './webhooks/backlog.ts';
import { measureComeback } from './webhooks/comeback.ts';
import { measureNeighbours } from './webhooks/neighbours.ts';
import { measureOffered } from './webhooks/offered.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    rate: { type: 'string', default: '200' },
    seconds: { type: 'string' },
    deliveries: { type: 'string' },
    endpoints: { type: 'string', default: '1' },
    workers: { type: 'string', default: '1' },
    'without-bare': { type: 'boolean', default: false },
  },
});

const MEASUREMENTS: Readonly<Record<string, (stand: Stand) => Promise<void>>> = {
  a: (stand) => measureOffered(stand, Number(options.rate), Number(options.seconds ?? 60)),
  b: (stand) =>
    measureBacklog(stand, {
      deliveries: Number(options.deliveries ?? 100_000),
      endpoints: Number(options.endpoints),
      workers: Number(options.workers),
      bare: !options['without-bare'],
    }),
  c: (stand) => measureNeighbours(stand, Number(options.deliveries ?? 50_000), Number(options.seconds ?? 30)),
  d: (stand) => measureComeback(stand, Number(options.deliveries ?? 20_000)),
};

/** `npm run bench:webhooks`: the README has its options. */
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
