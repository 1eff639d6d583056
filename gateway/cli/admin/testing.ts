import { randomBytes } from 'node:crypto';
import type { Connection } from 'mongoose';
import { pino } from 'pino';
import { clocksAt } from '../../../subgraphs/kernel/clock/account-clock.ts';
import { DEFAULT_PARTITIONS } from '../../../subgraphs/kernel/config/work-settings.ts';
import { createBlindIndex } from '../../../subgraphs/kernel/crypto/blind-index.ts';
import { type Box, deriveKey } from '../../../subgraphs/kernel/crypto/box.ts';
import { createKeyring } from '../../../subgraphs/kernel/crypto/keyring.ts';
import { findMissingIndexes, makeIndexes } from '../../../subgraphs/kernel/database/indexes.ts';
import { shardCommandsOf } from '../../../subgraphs/kernel/database/shard-keys.ts';
import { createConsoleSessionModel } from '../../../subgraphs/partners/keys/console-session-model.ts';
import { createConsoleSessions } from '../../../subgraphs/partners/keys/console-sessions.ts';
import { createApiKeyModel } from '../../../subgraphs/partners/keys/model.ts';
import { createApiKeys } from '../../../subgraphs/partners/keys/service.ts';
import { createTenantModels } from '../../../subgraphs/partners/tenants/model.ts';
import { createTenants } from '../../../subgraphs/partners/tenants/service.ts';
import { createMigrations } from '../../../subgraphs/runtime/migrations/migrations.ts';
import { createWebhookModels } from '../../../subgraphs/webhooks/model.ts';
import { createWebhookQueue, type WebhookQueue } from '../../../subgraphs/webhooks/queue.ts';
import { openTestDatabase } from '../../../test/support/test-database.ts';
import { createErasure } from '../../app/erasure.ts';
import type { AdminDeps } from './command.ts';
import { createAdminEvents, createEventDivision } from './events.ts';
import { createAdminRemittances, createOperatorActs } from './remittances.ts';
import { createAdminResumption } from './resumption.ts';
import { createAdminWebhooks } from './webhooks.ts';

/** The dependencies of commands, in a separate database. */
export interface AdminBench {
  readonly connection: Connection;
  readonly deps: AdminDeps;
  /** Where a server would store webhooks; nobody sends them. */
  readonly queue: WebhookQueue;
  /** Seals webhooks and their attempts as a server does. */
  readonly box: Box;
  /** Seals fields as a server does. */
  readonly fieldsBox: Box;
  close(): Promise<void>;
}

/**
 * @param env names the store of the test run
 * @param options.isEmpty whether to leave out its collections and indexes
 */
export async function openAdminBench(
  env: NodeJS.ProcessEnv = process.env,
  { isEmpty = false } = {},
): Promise<AdminBench> {
  const store = await openTestDatabase(env);
  const { connection } = store;
  const log = pino({ level: 'silent' });
  const pepper = 'p'.repeat(32);
  const keyring = createKeyring([randomBytes(32)]);
  const clock = () => new Date();
  const clocks = clocksAt(clock);
  const times = { clock, ...clocks };
  const { acts, operatorLog } = createOperatorActs(connection, clock);
  const { transaction } = acts;
  const fieldsBox = keyring.box('fields');
  const tenants = createTenants({ models: createTenantModels(connection), box: fieldsBox, transaction });
  const keys = createApiKeyModel(connection);
  const events = createAdminEvents(connection, DEFAULT_PARTITIONS);
  const webhooks = createAdminWebhooks({
    ...{ connection, keyring, pepper, tenants, events, clock, clocks, transaction },
  });
  const deps: AdminDeps = {
    tenants,
    apiKeys: createApiKeys({ model: keys, pepper, log, transaction }),
    consoleSessions: createConsoleSessions({
      ...{ model: createConsoleSessionModel(connection), keys, pepper, log },
      hasAccount: async () => true,
      lifetimeSeconds: 600,
      idleSeconds: 600,
      clock: () => new Date(),
    }),
    resumption: createAdminResumption({ connection, keyring, ...times, transaction }),
    webhooks,
    remittances: createAdminRemittances({
      ...{ connection, tenants, webhooks: webhooks.queue, events, operatorLog, transaction, ...times },
    }),
    operatorLog,
    acts,
    now: clock,
    operator: { source: 'COMMAND', actor: 'ana', host: 'ops-1' },
    migrations: {
      ...createMigrations({ connection, log }),
      missingIndexes: () => findMissingIndexes(connection),
      makeIndexes: () => makeIndexes(connection),
    },
    shardCommands: (options) => shardCommandsOf(connection, options),
    publicUrl: 'https://remit.example',
    missingProviders: ['IDENTITY_VALIDATOR_URL', 'FUNDING_PROVIDER_URL'],
    erasure: createErasure({ connection, keyring, transaction, events, ...times }),
    eventDivision: createEventDivision({ connection, transaction, clock }),
    rotateKeys: async () => [],
    webhookTotals: async () => [],
    listen: async ({ after = 'now' }) => ({ forwarded: 0, failed: 0, cursor: after }),
  };
  const box = keyring.box('webhooks');
  const queue = createWebhookQueue({
    models: createWebhookModels(connection),
    box,
    blindIndex: createBlindIndex(deriveKey(Buffer.from(pepper), 'blind-index')),
    events: { append: () => undefined },
    traceparent: () => undefined,
    clock: () => new Date(),
    admit: (delivery) => delivery,
    order: { chain: async (deliveries) => [...deliveries] },
  });
  if (!isEmpty) {
    await makeIndexes(connection);
  }
  return { connection, deps, queue, box, fieldsBox, close: () => store.close() };
}
