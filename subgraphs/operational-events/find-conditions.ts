import type { AccountId } from '../kernel/account.ts';
import type { ReadWatchedKeys, WatchedKey } from '../partners/keys/watched-keys.ts';
import { FIRST } from '../partners/tenants/endpoint-store.ts';
import type { Tenant } from '../partners/tenants/service.ts';
import { ofAllKeys } from '../runtime/limits/partner-limiter.ts';
import type { RateLimit } from '../runtime/limits/rate-limiter.ts';
import type { LimitUse, ReadUsage } from '../runtime/limits/usage.ts';
import {
  ENDPOINT_FAILING,
  EXPIRING_HOURS,
  KEY_EXPIRING,
  NEAR_PERCENT,
  QUOTA_NEAR,
  REMITTANCE_STUCK,
} from '../webhook-events/operational.ts';
import type { Endpoints } from '../webhooks/endpoints.ts';
import type { Failures } from '../webhooks/failures.ts';
import type { OutgoingEvent } from '../webhooks/publisher.ts';
import type { ConditionKind } from './model.ts';

/** A condition as it is at the moment, and the event that reports it. */
export interface FoundCondition {
  readonly kind: ConditionKind;
  readonly subject: string;
  readonly event: OutgoingEvent;
  /** Of a failing endpoint. */
  readonly since?: Date;
}

/** The stuck remittances of accounts, as the slice of remittances counts them. */
export interface StuckRemittances {
  readonly stuck: number;
  readonly stuckSince: Date | null;
}

export interface FindDeps {
  readonly failures: Pick<Failures, 'openBreakers'>;
  readonly identify: Endpoints['identify'];
  readonly keys: ReadWatchedKeys;
  readonly usage: ReadUsage;
  /** The limits of calls by one key of the partner; one with 0 calls is none. */
  readonly limitsOf: (tenant: Tenant) => readonly RateLimit[];
  /** How many times the limit of a key all keys of a partner have. */
  readonly partnerFactor: number;
  /** Where the console is. */
  readonly consoleUrl: string;
  readonly clock: () => Date;
}

const HOUR_MS = 3_600_000;
/** A key that was not used for this time uses up no limit; it is longer than every window. */
const UNUSED_MS = 600_000;

/**
 * The conditions of a partner at the moment.
 * @param stuck its stuck remittances; undefined: unknown
 */
export async function findConditions(
  deps: FindDeps,
  tenant: Tenant,
  stuck: StuckRemittances | undefined,
): Promise<FoundCondition[]> {
  const { accountId } = tenant;
  const now = deps.clock();
  const keys = await deps.keys(accountId, now);
  const facts = { accountId, consoleUrl: deps.consoleUrl };
  return [
    ...(await findFailingEndpoints(deps, tenant)),
    ...findExpiringKeys(keys, now, facts),
    ...findStuck(stuck, facts),
    ...(await findNearQuotas(deps, tenant, keys, now)),
  ];
}

interface Facts {
  readonly accountId: AccountId;
  readonly consoleUrl: string;
}

/** An endpoint that the partner does not have any more, and the URL for operational events itself, are left out. */
async function findFailingEndpoints(deps: FindDeps, tenant: Tenant): Promise<FoundCondition[]> {
  const { accountId } = tenant;
  const open = await deps.failures.openBreakers(accountId);
  const idOf = endpointIds(deps, tenant);
  return open.flatMap(({ endpoint, since }) => {
    const endpointId = idOf.get(endpoint);
    return endpointId === undefined
      ? []
      : {
          kind: 'endpoint.failing' as const,
          subject: endpoint,
          since,
          event: ENDPOINT_FAILING.of({
            accountId,
            consoleUrl: deps.consoleUrl,
            endpointId,
            failingSince: since,
          }),
        };
  });
}

/** The ids of a partner's endpoints by the digest of their URLs. */
export function endpointIds(
  { identify }: Pick<FindDeps, 'identify'>,
  tenant: Tenant,
): ReadonlyMap<string, string> {
  const { accountId, webhookUrl, operationStatusHook, webhookEndpoints = [] } = tenant;
  const urls = [
    ...(operationStatusHook ? [{ url: operationStatusHook, id: 'statusHook' }] : []),
    ...webhookEndpoints,
    ...(webhookUrl ? [{ url: webhookUrl, id: FIRST }] : []),
  ];
  return new Map(urls.map(({ url, id }) => [identify(accountId, url), id]));
}

function findExpiringKeys(keys: readonly WatchedKey[], now: Date, facts: Facts): FoundCondition[] {
  const soon = new Date(now.getTime() + EXPIRING_HOURS * HOUR_MS);
  return keys.flatMap(({ keyId, endsAt, lastUsedAt }) =>
    endsAt === null || endsAt > soon
      ? []
      : {
          kind: 'key.expiring' as const,
          subject: keyId,
          event: KEY_EXPIRING.of({ ...facts, keyId, endsAt, lastUsedAt }),
        },
  );
}

function findStuck(found: StuckRemittances | undefined, facts: Facts): FoundCondition[] {
  return found === undefined || found.stuckSince === null || found.stuck === 0
    ? []
    : [
        {
          kind: 'remittance.stuck',
          subject: '',
          event: REMITTANCE_STUCK.of({ ...facts, remittances: found.stuck, stuckSince: found.stuckSince }),
        },
      ];
}

async function findNearQuotas(
  { usage, limitsOf, partnerFactor, consoleUrl }: FindDeps,
  tenant: Tenant,
  keys: readonly WatchedKey[],
  now: Date,
): Promise<FoundCondition[]> {
  const { accountId } = tenant;
  const usedSince = now.getTime() - UNUSED_MS;
  const callers = keys.filter(({ lastUsedAt }) => lastUsedAt !== null && lastUsedAt.getTime() > usedSince);
  const limits = limitsOf(tenant).filter(({ limit }) => limit > 0);
  const uses = limits.flatMap((limit): LimitUse[] => [
    { limit: ofAllKeys(limit, partnerFactor), caller: accountId },
    ...callers.map(({ keyId }) => ({ limit, caller: keyId })),
  ]);
  const used = await usage(uses, now);
  return used.flatMap(({ limit: { name, limit: most, windowSeconds }, caller, calls }) => {
    const keyId = caller === accountId ? null : caller;
    const near = { accountId, consoleUrl, limit: name, keyId, calls, most, windowSeconds };
    return calls * 100 < most * NEAR_PERCENT
      ? []
      : { kind: 'quota.near' as const, subject: `${name}|${keyId ?? ''}`, event: QUOTA_NEAR.of(near) };
  });
}
