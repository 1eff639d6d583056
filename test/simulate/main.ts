import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { say } from '../bench/stand.ts';
import { COSTS_FILE, readCosts } from './costs.ts';
import { draw } from './picture.ts';
import { ASSUMED, useByLoad } from './plan.ts';
import { priceLists, report, STANDARD, withReport } from './report.ts';
import { validate } from './validate.ts';

const TEXT = 'deploy/capacity.md';
const { values: options } = parseArgs({
  options: {
    validate: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '8' },
    loads: { type: 'string' },
    prices: { type: 'string' },
    'store-processors': { type: 'string' },
    'receiver-ms': { type: 'string' },
    accounts: { type: 'string' },
  },
});

/**
 * `npm run simulate:scale`: prints the deployments for some loads, and their costs. Without options it also writes them into
 * deploy/capacity.md. `-- --validate [--save] [--seconds N]` measures this machine in place of that: see the README of the benchmarks.
 */
async function main(): Promise<void> {
  if (options.validate) {
    const costs = await validate(Number(options.seconds));
    if (options.save) {
      writeFileSync(COSTS_FILE, `${JSON.stringify(costs, null, 2)}\n`);
    }
    return;
  }
  const costs = readCosts();
  const { loads, prices } = options;
  const part = report(costs, {
    rates: loads?.split(',').map(Number) ?? STANDARD.rates,
    lists: prices === undefined ? STANDARD.lists : priceLists.parse(JSON.parse(readFileSync(prices, 'utf8'))),
    assumed: {
      storeProcessors: Number(options['store-processors'] ?? ASSUMED.storeProcessors),
      receiverMs: Number(options['receiver-ms'] ?? ASSUMED.receiverMs),
      accounts: Number(options.accounts ?? ASSUMED.accounts),
    },
  });
  say(part);
  if (process.argv.length === 2) {
    writeFileSync(TEXT, withReport(readFileSync(TEXT, 'utf8'), part));
    writeFileSync('deploy/capacity.svg', draw(useByLoad(costs)));
  }
}

await main();
