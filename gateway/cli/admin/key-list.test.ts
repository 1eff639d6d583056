import { expect, test } from '@jest/globals';
import { type AccountId, accountOf, ENVIRONMENTS } from '../../../subgraphs/kernel/account.ts';
import type { ApiKey } from '../../../subgraphs/partners/keys/record.ts';
import type { Tenant } from '../../../subgraphs/partners/tenants/service.ts';
import { type AdminDeps, runCommand } from './commands.ts';

const keyOf = (keyId: string, environment: 'live' | 'sandbox'): ApiKey => ({
  keyId,
  accountId: accountOf('acme', environment),
  prefix: 'raas_live',
  environment,
  scopes: ['partner'],
  label: '',
  createdAt: new Date(0),
});

test('key list shows whether each key is live or sandbox', async () => {
  const keys = [keyOf('key_1', 'live'), keyOf('key_2', 'sandbox')];
  const deps = {
    tenants: {
      environments: ENVIRONMENTS,
      findStored: async (accountId: AccountId) => ({ accountId, tenantId: 'acme' }) as Tenant,
    },
    apiKeys: { list: async (accountId: AccountId) => keys.filter((key) => key.accountId === accountId) },
  } as unknown as AdminDeps;
  const { rows } = await runCommand(deps, ['key', 'list', '--tenant', 'acme']);
  expect(rows.map(({ keyId, environment }) => [keyId, environment])).toEqual([
    ['key_2', 'sandbox'],
    ['key_1', 'live'],
  ]);
});
