import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { checkStoredCorridors } from './check-stored.ts';
import { readSeed } from './seed.ts';

const folder = mkdtempSync(join(tmpdir(), 'remitgraph-seed-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (seed: object): string => {
  const path = join(folder, 'seed.json');
  writeFileSync(path, JSON.stringify(seed));
  return path;
};

describe('routes and rates that cannot be used', () => {
  const route = {
    sourceCountry: 'US',
    destinationCountry: 'MX',
    destinationCurrency: 'MXN',
    payoutType: 'cash',
  };
  const rate = { source: 'USD', destination: 'MXN', rate: '18' };

  test('are all reported at once, each withdrawn currency with its successor', async () => {
    const seed = {
      tenants: [{ tenantId: 'a', name: 'A', defaultCurrency: 'HRK' }],
      routes: [
        route,
        {
          ...route,
          destinationCountry: 'BG',
          destinationCurrency: 'BGN',
          minAmount: '10.5',
          maxAmount: '9.50',
        },
        { ...route, minAmount: '1', maxAmount: '1.00' },
      ],
      fxRates: [
        rate,
        { ...rate, destination: 'ANG' },
        { ...rate, source: 'CUC', destination: 'CUC' },
        { ...rate, destination: 'USD' },
      ],
    };
    const message = await readSeed(write(seed)).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message.split('\n').slice(1)).toEqual([
      '  tenants.0.defaultCurrency: HRK was withdrawn from ISO 4217 in 2023-01: use EUR',
      '  routes.1.destinationCurrency: BGN was withdrawn from ISO 4217 in 2026-01: use EUR',
      '  routes.1.minAmount: must not be above maxAmount',
      '  fxRates.1.destination: ANG was withdrawn from ISO 4217 in 2025-03: use XCG',
      '  fxRates.2.source: CUC was withdrawn from ISO 4217 in 2021-06: use CUP',
      '  fxRates.2.destination: CUC was withdrawn from ISO 4217 in 2021-06: use CUP',
      '  fxRates.2.destination: must be another currency than source',
      '  fxRates.3.destination: must be another currency than source',
    ]);
  });

  test('stop the start when they are stored already, with the commands that remove them', async () => {
    const stored = {
      allRoutes: async () => [
        { ...route, payerCode: null, destinationCountry: 'HR', destinationCurrency: 'HRK' },
      ],
      allFxRates: async () => [rate, { source: 'USD', destination: 'USD', rate: '1' }],
    };
    await expect(checkStoredCorridors(stored)).rejects.toThrow(
      [
        'The stored routes and rates are invalid:',
        '  destinationCurrency: HRK was withdrawn from ISO 4217 in 2023-01: use EUR. To remove it: npm run admin -- route remove --source-country US --destination-country HR --currency HRK --payout-type cash',
        '  destination: must be another currency than source. To remove it: npm run admin -- rate remove --source USD --destination USD',
      ].join('\n'),
    );
    await checkStoredCorridors({ ...stored, allRoutes: async () => [], allFxRates: async () => [rate] });
  });
});
