import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runCommand } from './commands.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

let bench: AdminBench;
beforeAll(async () => {
  bench = await openAdminBench();
});
afterAll(() => bench.close());

test('A command that another change overtakes runs again, and keeps that change', async () => {
  const { connection, deps } = bench;
  const common = ['--country', 'MX', '--source-country', 'US'];
  await runCommand(deps, ['tenant', 'create', '--id', 'acme', '--name', 'Acme', ...common]);
  const tenants = connection.db?.collection<{ _id: string }>('tenants');
  let isFirst = true;
  const seed: typeof deps.tenants.seed = async (input) => {
    if (isFirst) {
      isFirst = false;
      await tenants?.updateOne({ _id: input.accountId }, { $set: { features: ['request-money'] } });
    }
    return deps.tenants.seed(input);
  };
  const update = ['tenant', 'update', '--id', 'acme', '--sandbox', '--message-template', 'Pay {link}'];
  await runCommand({ ...deps, tenants: { ...deps.tenants, seed } }, update);
  expect(await deps.tenants.findStored('acme/sandbox')).toMatchObject({
    features: ['request-money'],
    messageTemplate: 'Pay {link}',
  });
});
