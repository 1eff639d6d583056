import { parseArgs } from 'node:util';
import { type Partner, startPartner } from './atomic-calls.ts';
import { compareWithBare } from './pipeline/beside-bare.ts';
import { compareHotWithSpread, ONE_TENANT, ONE_USER } from './pipeline/hot-documents.ts';
import { compareLogs } from './pipeline/many-events.ts';
import { measureWorkers } from './pipeline/workers.ts';
import { type Stand, withStand } from './stand.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '40' },
    events: { type: 'string' },
    workers: { type: 'string' },
    'one-user': { type: 'boolean', default: false },
    'one-tenant': { type: 'boolean', default: false },
    calls: { type: 'string' },
  },
});

/**
 * `npm run bench:pipeline [-- --seconds N]`: atomic calls until their outcomes, beside the bare driver's same writes. Other
 * options ask for another measurement: see the README.
 */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const partner = await startPartner();
    try {
      await measure(stand, partner);
    } finally {
      await partner.close();
    }
  });
}

function measure(stand: Stand, partner: Partner): Promise<void> {
  const seconds = Number(options.seconds);
  if (options.events !== undefined) {
    return compareLogs(stand, partner, { events: Number(options.events), seconds });
  }
  if (options.workers !== undefined) {
    return measureWorkers(stand, partner, { workers: Number(options.workers), seconds });
  }
  if (options['one-user'] || options['one-tenant']) {
    const hot = options['one-user'] ? ONE_USER : ONE_TENANT;
    return compareHotWithSpread(stand, partner, { ...hot, calls: Number(options.calls ?? hot.calls) });
  }
  return compareWithBare(stand, partner, seconds);
}

await main();
