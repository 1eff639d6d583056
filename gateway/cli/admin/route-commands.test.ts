import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AdminDeps, type Answer, runCommand } from './commands.ts';
import { openAdminBench } from './testing.ts';

let deps: AdminDeps;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ deps, close } = await openAdminBench());
});
afterAll(() => close());

const run = (...args: string[]): Promise<Answer> => runCommand(deps, args);

describe('the commands of routes and rates', () => {
  const CORRIDOR = ['--source-country', 'US', '--destination-country', 'CW', '--payout-type', 'cash'];

  test.each([
    [['route', 'set', ...CORRIDOR, '--currency', 'ANG'], 'destinationCurrency: ANG was withdrawn'],
    [
      ['route', 'set', ...CORRIDOR, '--currency', 'XCG', '--min-amount', '2', '--max-amount', '1'],
      'minAmount: must not be above maxAmount',
    ],
    [
      ['rate', 'set', '--source', 'USD', '--destination', 'BGN', '--rate', '1.7'],
      'destination: BGN was withdrawn',
    ],
    [['rate', 'set', '--source', 'XCG', '--destination', 'XCG', '--rate', '1'], 'must be another currency'],
  ])('%j is rejected because of its currencies or bounds', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });

  test('are removed by their keys, and a second removal fails', async () => {
    await run('route', 'set', ...CORRIDOR, '--currency', 'XCG');
    await run('rate', 'set', '--source', 'USD', '--destination', 'XCG', '--rate', '1.79');
    const corridor = { sourceCountry: 'US', destinationCountry: 'CW', destinationCurrency: 'XCG' };
    expect(await deps.tenants.routes(corridor)).toMatchObject([{ payoutType: 'cash' }]);
    await run('rate', 'remove', '--source', 'USD', '--destination', 'XCG');
    expect([await deps.tenants.routes(corridor), (await run('rate', 'list')).rows]).toEqual([[], []]);
    await run('route', 'remove', ...CORRIDOR, '--currency', 'XCG');
    expect((await run('route', 'list')).rows).toEqual([]);
    await expect(run('route', 'remove', ...CORRIDOR, '--currency', 'XCG')).rejects.toThrow('no such route');
    const pair = ['--source', 'USD', '--destination', 'XCG'];
    await expect(run('rate', 'remove', ...pair)).rejects.toThrow('no such rate');
  });
});

describe('routes and rates', () => {
  const ROUTE = ['--source-country', 'CA', '--destination-country', 'PE', '--currency', 'PEN'];

  test('are set, replaced and listed', async () => {
    await run(
      'route',
      'set',
      ...ROUTE,
      '--payout-type',
      'cash',
      '--states',
      'LIM=01,CUS=02',
      '--max-amount',
      '9.5',
    );
    const { rows } = await run('route', 'set', ...ROUTE, '--payout-type', 'cash', '--payer-code', 'PECASH');
    expect(rows).toMatchObject([{ payerCode: 'PECASH', payoutType: 'cash' }]);
    const listed = (await run('route', 'list')).rows.filter((route) => route.sourceCountry === 'CA');
    expect(listed).toHaveLength(1);
    expect(listed[0]).toMatchObject({ payerCode: 'PECASH', destinationCurrency: 'PEN' });
    expect(listed[0]).not.toHaveProperty('states');
    await run('rate', 'set', '--source', 'CAD', '--destination', 'PEN', '--rate', '2.7');
    expect((await run('rate', 'list')).rows).toContainEqual({
      source: 'CAD',
      destination: 'PEN',
      rate: '2.7',
    });
  });

  test.each([
    [['route', 'set', ...ROUTE, '--payout-type', 'cheque'], 'payoutType: '],
    [['route', 'set', ...ROUTE, '--payout-type', 'cash', '--states', 'LIM'], '--states takes pairs'],
    [
      ['rate', 'set', '--source', 'CAD', '--destination', 'PEN', '--rate=-1'],
      'rate: must be a decimal string',
    ],
    [['rate', 'set', '--source', 'CAD', '--destination', 'PEN', '--rate', '0'], 'rate: must be over 0'],
    [
      ['rate', 'set', '--source', 'Dollar', '--destination', 'PEN', '--rate', '1'],
      'source: must be an ISO 4217',
    ],
  ])('%j is rejected', async (args, message) => {
    await expect(run(...args)).rejects.toThrow(message);
  });
});
