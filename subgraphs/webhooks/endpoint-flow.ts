import { LRUCache } from 'lru-cache';
import type { Logger } from '../kernel/log/log.ts';
import { type AdaptiveLimit, createAdaptiveLimit } from './adaptive-limit.ts';
import type { EndpointOfTenant, LimitedDelivery } from './backlogs.ts';
import { type EndpointBreakers, isProbeDue } from './endpoint-breakers.ts';
import type { CountedAttempt, EndpointCounts } from './endpoint-counts.ts';
import { type EndpointStateDocument, type EndpointStateModel, HOLDS } from './endpoint-state.ts';

/**
 * How many attempts this process may make at each endpoint. It adapts to the endpoint's answers, and follows the state that
 * all processes share.
 */
export interface EndpointFlow {
  /** How many attempts the delivery's endpoint may have at once; 0 while the delivery is held. */
  most(item: Pick<LimitedDelivery, 'endpoint' | 'attempt'>): number;
  /** Records the end of an attempt, by an answer or without one in time. */
  ended(attempt: CountedAttempt): void;
  /** Reads which endpoints are held, takes due probes, and writes counts when it is time. */
  refresh(): Promise<void>;
  /** Starts to refresh each second. */
  start(): void;
  /** Writes the remaining counts. Never throws. */
  stop(): Promise<void>;
}

export interface EndpointFlowDeps {
  states: EndpointStateModel;
  counts: EndpointCounts;
  breakers: EndpointBreakers;
  /** Most attempts at once at one endpoint. */
  perEndpoint: number;
  clock: () => Date;
  log: Pick<Logger, 'error' | 'warn'>;
  /** Called when held deliveries may be sent. */
  onReady: (endpoint: EndpointOfTenant) => void;
}

/** Most endpoints that this process remembers. The limit of an endpoint that was not used for long starts again. */
const KNOWN_ENDPOINTS = 10_000;
const REFRESH_MS = 1_000;
/** How often counts are written while nothing fails. A failure is written with the next refresh, for the breaker. */
const WRITE_MS = 5_000;
/** The longest wait of a stop for the last counts. */
const LAST_WRITE_MS = 500;

type Held = Pick<EndpointStateDocument, '_id' | 'accountId' | 'holds' | 'breaker'>;

interface State {
  readonly limits: LRUCache<string, AdaptiveLimit>;
  held: ReadonlyMap<string, Held>;
  /** This process's probes by endpoint: until when, as in the shared state. */
  readonly probes: Map<string, number>;
  hasFailures: boolean;
  writeAt: number;
  timer: NodeJS.Timeout | undefined;
  /**
   * Ends with the last refresh that has begun. Refreshes run one at a time, so an older answer never comes after a newer one.
   */
  refreshed: Promise<unknown>;
  refreshing: number;
}

export function createEndpointFlow(deps: EndpointFlowDeps): EndpointFlow {
  const state: State = {
    limits: new LRUCache({ max: KNOWN_ENDPOINTS }),
    held: new Map(),
    probes: new Map(),
    hasFailures: false,
    writeAt: 0,
    timer: undefined,
    refreshed: Promise.resolve(),
    refreshing: 0,
  };
  const refresh = () => inTurn(state, () => refreshOnce(deps, state));
  const tick = () => {
    if (state.refreshing === 0) {
      void logged(deps, refresh());
    }
  };
  return {
    most: (item) => most(deps, state, item),
    ended: (attempt) => ended(deps, state, refresh, attempt),
    refresh,
    start: () => {
      state.timer ??= setInterval(tick, REFRESH_MS).unref();
      tick();
    },
    stop: async () => {
      clearInterval(state.timer);
      state.timer = undefined;
      await Promise.race([
        logged(deps, writeCounts(deps, state)),
        new Promise((resolve) => setTimeout(resolve, LAST_WRITE_MS).unref()),
      ]);
    },
  };
}

/** Begins after earlier refreshes, so that it sees its caller's writes. */
function inTurn(state: State, work: () => Promise<void>): Promise<void> {
  state.refreshing += 1;
  const done = state.refreshed.then(work).finally(() => {
    state.refreshing -= 1;
  });
  // The caller gets the error; the next refresh begins all the same.
  state.refreshed = done.catch(() => undefined);
  return done;
}

/** Reports errors of work that nobody waits for. */
async function logged({ log }: Pick<EndpointFlowDeps, 'log'>, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    log.warn({ err: error }, 'webhook.endpoints_not_read');
  }
}

function most(
  deps: EndpointFlowDeps,
  state: State,
  { endpoint, attempt }: Pick<LimitedDelivery, 'endpoint' | 'attempt'>,
): number {
  const held = state.held.get(endpoint);
  if (held?.holds.includes('PAUSED')) {
    return 0;
  }
  // Deliveries with attempts are tried at their documented times; they also show whether the endpoint answers again.
  if (held && attempt === 0) {
    return state.probes.has(endpoint) ? 1 : 0;
  }
  return state.limits.get(endpoint)?.current() ?? limitOf(deps, state, endpoint).current();
}

function limitOf({ perEndpoint }: EndpointFlowDeps, { limits }: State, endpoint: string): AdaptiveLimit {
  const known = limits.get(endpoint);
  if (known) {
    return known;
  }
  const limit = createAdaptiveLimit(perEndpoint);
  limits.set(endpoint, limit);
  return limit;
}

function ended(
  deps: EndpointFlowDeps,
  state: State,
  refresh: () => Promise<void>,
  attempt: CountedAttempt,
): void {
  const { endpoint, outcome, at, ms, isFirst } = attempt;
  const delivered = outcome === 'delivered';
  limitOf(deps, state, endpoint).ended({ delivered, begunAt: at.getTime(), ms });
  deps.counts.add(attempt);
  state.hasFailures ||= !delivered;
  if (state.held.get(endpoint)?.holds.includes('BREAKER')) {
    void logged(deps, notifyBreaker(deps, state, refresh, { endpoint, delivered, isFirst }));
  }
}

/** Every success closes an open breaker; of failures only the probe's counts. */
async function notifyBreaker(
  deps: EndpointFlowDeps,
  state: State,
  refresh: () => Promise<void>,
  { endpoint, delivered, isFirst }: { endpoint: string; delivered: boolean; isFirst: boolean },
): Promise<void> {
  const isProbe = isFirst && state.probes.delete(endpoint);
  if (delivered) {
    await deps.breakers.close(endpoint);
    await refresh();
  } else if (isProbe) {
    await deps.breakers.reopen(endpoint);
  }
}

async function refreshOnce(deps: EndpointFlowDeps, state: State): Promise<void> {
  if (state.hasFailures || state.writeAt <= deps.clock().getTime()) {
    await writeCounts(deps, state);
  }
  const found = await deps.states
    .find({ holds: { $in: [...HOLDS] } }, { accountId: 1, holds: 1, breaker: 1 })
    .lean();
  const before = state.held;
  state.held = new Map(found.map((held) => [held._id, held]));
  for (const [endpoint, { accountId }] of before) {
    const now = state.held.get(endpoint);
    if (!now || isLess(now, before.get(endpoint))) {
      state.probes.delete(endpoint);
      deps.onReady({ endpoint, accountId });
    }
  }
  for (const held of found) {
    await probeWhenDue(deps, state, held);
  }
}

/** Whether an endpoint is held less than before. */
function isLess(now: Held, before: Held | undefined): boolean {
  return now.holds.length < (before?.holds.length ?? 0);
}

async function writeCounts(deps: EndpointFlowDeps, state: State): Promise<void> {
  state.hasFailures = false;
  state.writeAt = deps.clock().getTime() + WRITE_MS;
  await deps.breakers.openFailing(await deps.counts.write());
}

/** One probe at a time: the process that takes it lets one new delivery begin. */
async function probeWhenDue(
  { breakers, clock, onReady }: EndpointFlowDeps,
  { probes }: State,
  { _id: endpoint, accountId, holds, breaker }: Held,
): Promise<void> {
  const { probeAt } = breaker;
  if (probes.get(endpoint) !== probeAt?.getTime()) {
    probes.delete(endpoint);
  }
  if (!holds.includes('PAUSED') && probeAt && isProbeDue(probeAt, clock())) {
    const until = await breakers.takeProbe(endpoint);
    if (until) {
      probes.set(endpoint, until.getTime());
      onReady({ endpoint, accountId });
    }
  }
}
