import { LRUCache } from 'lru-cache';
import type { Model } from 'mongoose';
import { type AccountId, accountsOf, environmentOf, tenantOf } from '../../kernel/account.ts';
import { type CountOpen, countByAccount, type StatusCount } from '../../kernel/database/count-by-account.ts';
import { FIGURES_FRESH_MS } from '../../kernel/recent.ts';
import type { ApiKeyDocument } from '../../partners/keys/model.ts';
import { hasEnded } from '../../partners/keys/record.ts';
import type { WebhookEndpointDocument } from '../../partners/tenants/endpoint-model.ts';
import type { EndpointStateModel } from '../../webhooks/endpoint-state.ts';
import type { DeliveryDocument } from '../../webhooks/model.ts';

/** The keys of a partner that are in force. */
export interface KeyFigures {
  readonly live: number;
  readonly sandbox: number;
  /** When one of them was last used, to the minute; null: never. */
  readonly lastUsedAt: Date | null;
}

/** The receivers of a partner besides the documented one, and those of all whose webhooks are held. */
export interface EndpointFigures {
  readonly further: number;
  readonly paused: number;
  readonly open: number;
  readonly halfOpen: number;
}

/** The webhooks of a partner that are not delivered. */
export interface WebhookFigures {
  readonly pending: number;
  readonly oldestPendingAt: Date | null;
  readonly deadLettered: number;
}

/** Remittances of a partner in progress. */
export interface RemittanceFigures {
  readonly inProgress: number;
  readonly stuck: number;
  /** Since when the one that is stuck longest has been in its phase. */
  readonly stuckSince: Date | null;
}

/** Reads figures of several partners at once, of both environments together. A partner without any is absent; undefined: there is too much to count in time. */
type ReadFigures<Figures> = (
  tenantIds: readonly string[],
) => Promise<ReadonlyMap<string, Figures> | undefined>;

/** Figures of partners; each is one command for a page of them, and at most 15 s old. */
export interface TenantFigures {
  readonly keys: ReadFigures<KeyFigures>;
  readonly endpoints: ReadFigures<EndpointFigures>;
  readonly webhooks: ReadFigures<WebhookFigures>;
  readonly remittances: ReadFigures<RemittanceFigures>;
  /** Numbers of operations and of money requests that have not ended. */
  readonly operations: ReadFigures<number>;
  readonly moneyRequests: ReadFigures<number>;
}

/** The counts of the slices. */
export interface SliceFigures {
  readonly operations: CountOpen;
  readonly moneyRequests: CountOpen;
  readonly remittances: (
    accountIds: readonly AccountId[],
  ) => Promise<ReadonlyMap<AccountId, RemittanceFigures> | undefined>;
}

interface FiguresDeps {
  readonly keys: Model<ApiKeyDocument>;
  readonly endpoints: Model<WebhookEndpointDocument>;
  readonly endpointStates: EndpointStateModel;
  readonly deliveries: Model<DeliveryDocument>;
  readonly slices: SliceFigures;
  readonly clock: () => Date;
}

export function createTenantFigures(deps: FiguresDeps): TenantFigures {
  const { slices } = deps;
  return {
    keys: keepPages((ids) => readKeys(deps, ids)),
    endpoints: keepPages((ids) => readEndpoints(deps, ids)),
    webhooks: keepPages(async (ids) =>
      toWebhooks(await countByAccount(deps.deliveries, accountsOf(ids), ['PENDING', 'DEAD_LETTERED'])),
    ),
    remittances: keepPages(async (ids) => {
      const found = await slices.remittances(accountsOf(ids));
      return found && mergeRemittances(found);
    }),
    operations: keepPages(async (ids) => sumUp(await slices.operations(accountsOf(ids)))),
    moneyRequests: keepPages(async (ids) => sumUp(await slices.moneyRequests(accountsOf(ids)))),
  };
}

/** Pages that are kept: those that operators look at now. */
const MOST_PAGES = 50;

/** Reads the figures of a page of partners once in 15 s, however many look at it. */
function keepPages<Figures>(read: ReadFigures<Figures>): ReadFigures<Figures> {
  const kept = new LRUCache<string, Promise<ReadonlyMap<string, Figures> | undefined>>({
    max: MOST_PAGES,
    ttl: FIGURES_FRESH_MS,
  });
  return (tenantIds) => {
    const page = JSON.stringify(tenantIds);
    const there = kept.get(page);
    if (there) {
      return there;
    }
    const reading = read(tenantIds);
    kept.set(page, reading);
    reading.catch(() => {
      // Callers that await it get the error; the next call reads again.
      kept.delete(page);
    });
    return reading;
  };
}

/** Keys are few: a partner has 100 at most that it made itself. */
async function readKeys({ keys, clock }: FiguresDeps, tenantIds: readonly string[]) {
  const found = await keys
    .find(
      { accountId: { $in: accountsOf(tenantIds) }, revokedAt: { $exists: false } },
      { accountId: 1, prefix: 1, endsAt: 1, lastUsedAt: 1 },
    )
    .lean();
  const now = clock();
  const figures = new Map<string, KeyFigures>();
  for (const key of found.filter((one) => !hasEnded(one, now))) {
    const { live, sandbox, lastUsedAt } = figures.get(tenantOf(key.accountId)) ?? NO_KEYS;
    const isLive = environmentOf(key.accountId) === 'live';
    figures.set(tenantOf(key.accountId), {
      live: live + (isLive ? 1 : 0),
      sandbox: sandbox + (isLive ? 0 : 1),
      lastUsedAt: latest(lastUsedAt, key.lastUsedAt),
    });
  }
  return figures;
}

export const NO_KEYS: KeyFigures = { live: 0, sandbox: 0, lastUsedAt: null };
export const NO_ENDPOINTS: EndpointFigures = { further: 0, paused: 0, open: 0, halfOpen: 0 };
export const NO_WEBHOOKS: WebhookFigures = { pending: 0, oldestPendingAt: null, deadLettered: 0 };
export const NO_REMITTANCES: RemittanceFigures = { inProgress: 0, stuck: 0, stuckSince: null };

function latest(one: Date | null, other: Date | undefined): Date | null {
  return one === null || (other !== undefined && other > one) ? (other ?? one) : one;
}

async function readEndpoints({ endpoints, endpointStates }: FiguresDeps, tenantIds: readonly string[]) {
  const ofPage = { accountId: { $in: accountsOf(tenantIds) } };
  const [further, held] = await Promise.all([
    endpoints.find(ofPage, { accountId: 1 }).lean(),
    endpointStates
      .find({ ...ofPage, 'holds.0': { $exists: true } }, { accountId: 1, holds: 1, breaker: 1 })
      .lean(),
  ]);
  const figures = new Map<string, EndpointFigures>();
  const add = (accountId: AccountId, more: Partial<EndpointFigures>) => {
    const { further: others, paused, open, halfOpen } = figures.get(tenantOf(accountId)) ?? NO_ENDPOINTS;
    figures.set(tenantOf(accountId), {
      further: others + (more.further ?? 0),
      paused: paused + (more.paused ?? 0),
      open: open + (more.open ?? 0),
      halfOpen: halfOpen + (more.halfOpen ?? 0),
    });
  };
  for (const { accountId } of further) {
    add(accountId, { further: 1 });
  }
  for (const { accountId, holds, breaker } of held) {
    add(accountId, {
      paused: holds.includes('PAUSED') ? 1 : 0,
      open: breaker.state === 'OPEN' ? 1 : 0,
      halfOpen: breaker.state === 'HALF_OPEN' ? 1 : 0,
    });
  }
  return figures;
}

function toWebhooks(counts: readonly StatusCount[] | undefined): Map<string, WebhookFigures> | undefined {
  if (counts === undefined) {
    return undefined;
  }
  const figures = new Map<string, WebhookFigures>();
  for (const { accountId, status, count, oldestAt } of counts) {
    const { pending, oldestPendingAt, deadLettered } = figures.get(tenantOf(accountId)) ?? NO_WEBHOOKS;
    figures.set(
      tenantOf(accountId),
      status === 'PENDING'
        ? { pending: pending + count, oldestPendingAt: earliest(oldestPendingAt, oldestAt), deadLettered }
        : { pending, oldestPendingAt, deadLettered: deadLettered + count },
    );
  }
  return figures;
}

function sumUp(counts: readonly StatusCount[] | undefined): Map<string, number> | undefined {
  const sums = counts && new Map<string, number>();
  for (const { accountId, count } of counts ?? []) {
    const tenantId = tenantOf(accountId);
    sums?.set(tenantId, (sums.get(tenantId) ?? 0) + count);
  }
  return sums;
}

function mergeRemittances(found: ReadonlyMap<AccountId, RemittanceFigures>): Map<string, RemittanceFigures> {
  const figures = new Map<string, RemittanceFigures>();
  for (const [accountId, { inProgress, stuck, stuckSince }] of found) {
    const before = figures.get(tenantOf(accountId)) ?? NO_REMITTANCES;
    figures.set(tenantOf(accountId), {
      inProgress: before.inProgress + inProgress,
      stuck: before.stuck + stuck,
      stuckSince: earliest(before.stuckSince, stuckSince),
    });
  }
  return figures;
}

function earliest(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other < one) ? (other ?? one) : one;
}
