import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { type AccountId, tenantOf } from '../kernel/account.ts';
import { createBox } from '../kernel/crypto/box.ts';
import { makeIndexes } from '../kernel/database/indexes.ts';
import { createTransactions } from '../kernel/database/transaction.ts';
import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import type { Result } from '../kernel/errors/result.ts';
import { FIRST } from '../partners/tenants/endpoint-store.ts';
import { createTenantModels } from '../partners/tenants/model.ts';
import { applySeed, seedSchema } from '../partners/tenants/seed.ts';
import { createTenants, type TenantInput } from '../partners/tenants/service.ts';
import { movePause } from './move-pause.ts';
import { createPartnerEndpoints } from './partner-endpoints.ts';
import { openTestBench } from './testing-engine.ts';

/** Endpoints of tenants on a real database, as two processes see them; opened before the tests of the file. */
export function useEndpointsBench(): EndpointsBench {
  const bench = {} as EndpointsBench; // The hooks fill it.
  beforeAll(async () => void Object.assign(bench, await openEndpointsBench()));
  afterAll(() => bench.close());
  return bench;
}

type EndpointsBench = Awaited<ReturnType<typeof openEndpointsBench>>;

async function openEndpointsBench() {
  const bench = await openTestBench();
  const { connection } = bench.store;
  const box = createBox(randomBytes(32));
  const now = new Date('2026-11-21T08:00:00.000Z');
  const models = createTenantModels(connection);
  await makeIndexes(connection);
  const engine = bench.start();
  const tenants = createTenants({ models, box, transaction: createTransactions(connection) });
  const others = createTenants({ models, box, transaction: createTransactions(connection) });
  const deps = { endpoints: engine.endpoints, deliveries: engine.deliveries, clock: () => now };
  const seeding = {
    tenants,
    apiKeys: { keep: () => Promise.reject(new Error('no keys')) },
    movePause: (accountId: AccountId, to: string | null, unit: UnitOfWork) =>
      movePause({ tenants, endpoints: engine.endpoints }, accountId, FIRST, to, unit),
  };
  let number = 0;
  const storeTenant = async (
    accountId: AccountId,
    webhookUrl: string,
    operationStatusHook?: string,
  ): Promise<void> => {
    const lists = { countries: [], dialCodes: [], features: [], flows: [], mtlsClientCertSha256: [] };
    await tenants.upsert({
      ...{
        accountId,
        name: 'Some',
        fee: { fixed: '0', percent: '0' },
        ...lists,
        webhookUrl,
        operationStatusHook,
      },
      webhookSecret: 'whsec_first_01',
      webhookEvents: ['operation_created'],
    } as TenantInput);
  };
  return {
    ...{ bench, engine, now, tenants, others, storeTenant },
    /** Applies a seed file that has the tenant with the URL. */
    applySeed: async (accountId: AccountId, webhookUrl?: string): Promise<void> => {
      const seed = seedSchema.parse({
        tenants: [{ tenantId: tenantOf(accountId), name: 'Seeded', webhookUrl }],
      });
      await applySeed({ ...seeding, log: { info: () => undefined } }, seed);
    },
    endpoints: createPartnerEndpoints({ ...deps, tenants }),
    /** Those of the other process. */
    elsewhere: createPartnerEndpoints({ ...deps, tenants: others }),
    /** Stores a new tenant with the documented pair. */
    newTenant: async (): Promise<AccountId> => {
      number += 1;
      const accountId: AccountId = `tenant${number}/sandbox`;
      await storeTenant(accountId, 'https://first.test/');
      return accountId;
    },
    close: async () => {
      await bench.reset();
      await bench.close();
    },
  };
}

/** The value of a result that did not fail. */
export function unwrap<T>(result: Result<T>): T {
  if (!result.ok) {
    throw new Error(result.failures[0]?.message);
  }
  return result.value;
}
