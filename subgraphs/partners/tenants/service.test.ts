import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { AccountId } from '../../kernel/account.ts';
import { createBox } from '../../kernel/crypto/box.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { TenantDocument, TenantModels } from './model.ts';
import { createTenants } from './service.ts';

test('a tenant that is read while it changes its webhooks is found, and the older reading is not kept', async () => {
  const before = {
    _id: 'acme/live' as AccountId,
    name: 'Acme',
    webhookUrl: 'https://old.acme.test/',
  } as TenantDocument;
  const after = { ...before, webhookUrl: 'https://new.acme.test/' };
  let answer = (_found: TenantDocument) => {};
  const held = new Promise<TenantDocument>((resolve) => {
    answer = resolve;
  });
  const readings = [held];
  const tenantModel = {
    findById: () => found(async () => readings.shift() ?? after),
  };
  const endpointModel = { find: () => found(async () => []) };
  const tenants = createTenants({
    models: { tenants: tenantModel, endpoints: endpointModel } as unknown as TenantModels,
    box: createBox(randomBytes(32)),
    // It changes nothing: the model answers what is stored then.
    transaction: async (work) => work({ update: () => undefined } as unknown as UnitOfWork),
  });
  const read = tenants.find('acme/live');
  await tenants.changeWebhooks('acme/live', { ordering: 'NONE' });
  answer(before);
  expect(await read).toMatchObject({ accountId: 'acme/live' });
  expect(await tenants.find('acme/live')).toMatchObject({ webhookUrl: 'https://new.acme.test/' });
});

test('the limits of a partner are read once in two seconds, and at once after a change', async () => {
  const stored = {
    _id: 'acme/live' as AccountId,
    name: 'Acme',
    rateLimits: { partner: 5 },
  } as TenantDocument;
  let reads = 0;
  const tenantModel = {
    findById: () =>
      found(async () => {
        reads += 1;
        return stored;
      }),
  };
  const tenants = createTenants({
    models: {
      tenants: tenantModel,
      endpoints: { find: () => found(async () => []) },
    } as unknown as TenantModels,
    box: createBox(randomBytes(32)),
    transaction: async (work) => work({ update: () => undefined } as unknown as UnitOfWork),
  });
  const first = tenants.rateLimitsOf('acme/live');
  expect(first).toBeInstanceOf(Promise);
  expect(await first).toEqual({ partner: 5 });
  expect(tenants.rateLimitsOf('acme/live')).toEqual({ partner: 5 });
  expect(reads).toBe(1);
  await tenants.changeWebhooks('acme/live', { ordering: 'NONE' });
  expect(tenants.rateLimitsOf('acme/live')).toBeInstanceOf(Promise);
});

/** The part of a query that the service uses, with and without a session. */
function found<T>(lean: () => Promise<T>) {
  return { lean, session: () => ({ lean }) };
}
