import type { Connection } from 'mongoose';
import { preQuoteLimitOf } from '../../subgraphs/account/use-cases/pre-quote.ts';
import type { AccountClock } from '../../subgraphs/kernel/clock/account-clock.ts';
import type { DatabaseClock } from '../../subgraphs/kernel/clock/database-clock.ts';
import type { Config } from '../../subgraphs/kernel/config/load.ts';
import type { BlindIndex } from '../../subgraphs/kernel/crypto/blind-index.ts';
import type { RunTransaction } from '../../subgraphs/kernel/database/transaction.ts';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import {
  createOperationalEvents,
  type OperationalEvents,
  type OperationalEventsDeps,
} from '../../subgraphs/operational-events/index.ts';
import { createMailer, type Mailer } from '../../subgraphs/operational-events/mailer.ts';
import { createApiKeyModel } from '../../subgraphs/partners/keys/model.ts';
import { createWatchedKeys } from '../../subgraphs/partners/keys/watched-keys.ts';
import type { Tenant, Tenants } from '../../subgraphs/partners/tenants/service.ts';
import type { RateLimit } from '../../subgraphs/runtime/limits/rate-limiter.ts';
import { createUsageReader } from '../../subgraphs/runtime/limits/usage.ts';
import type { Webhooks } from '../../subgraphs/webhooks/webhooks.ts';
import { callLimitsOf, type LimitSettings } from '../http/rate-limit.ts';
import { publicUrlOf } from './public-url.ts';

interface OperationalParts {
  readonly tenants: Tenants;
  readonly webhooks: Pick<Webhooks, 'queue' | 'failures' | 'endpoints'>;
  readonly clock: Pick<DatabaseClock, 'now'>;
  readonly clocks: { readonly accountClock: AccountClock };
  readonly transaction: RunTransaction;
  readonly blindIndex: BlindIndex;
  readonly stuckOf: OperationalEventsDeps['stuckOf'];
}

/** The operational events of a deployment, from the parts that all subgraphs share and the stuck remittances. */
export function operationalEventsOf(
  { config, connection, log }: { config: Config; connection: Connection; log: Logger },
  { webhooks, clock, clocks, ...parts }: OperationalParts,
): OperationalEvents {
  const { tenants, transaction, blindIndex, stuckOf } = parts;
  return createOperationalEvents({
    ...{ connection, log, tenants, transaction, blindIndex, stuckOf },
    ...{ failures: webhooks.failures, queue: webhooks.queue, identify: webhooks.endpoints.identify },
    keys: createWatchedKeys(createApiKeyModel(connection)),
    usage: createUsageReader(connection),
    limitsOf: (tenant) => limitsOf(config, tenant),
    partnerFactor: config.RATE_LIMIT_PARTNER_FACTOR,
    consoleUrl: `${publicUrlOf(config)}/console`,
    mailer: mailerOf(config),
    clock: clock.now,
    accountClock: clocks.accountClock,
  });
}

/** Sends mail as the settings say; undefined without a mail server. */
export function mailerOf({
  SMTP_URL: url,
  MAIL_FROM: from,
}: Pick<Config, 'SMTP_URL' | 'MAIL_FROM'>): Mailer | undefined {
  return url === undefined || from === undefined ? undefined : createMailer(url, from);
}

/** The limits of calls by one key of a partner; 0 means no limit. */
function limitsOf(settings: LimitSettings, { rateLimits }: Tenant): RateLimit[] {
  return [...callLimitsOf(settings, rateLimits), preQuoteLimitOf(rateLimits)];
}
