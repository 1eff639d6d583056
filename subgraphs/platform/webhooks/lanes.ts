import { setImmediate } from 'node:timers/promises';
import type { QueryFilter } from 'mongoose';
import type { Candidate, CandidateSource } from '../work/claim.ts';
import type { DeliveryDocument } from './model.ts';

/** What quotas and lanes know a delivery by. */
export type LimitedDelivery = Pick<DeliveryDocument, 'tenantId' | 'endpoint' | 'attempt'>;
type Due = Candidate<LimitedDelivery>;

/** The partition that finds the endpoints that have something due. Only sweeps look into it. */
export const SCAN = 0;
/** The partition of what was found and did not fit yet. */
export const BACKLOG = 1;
export const PARTITIONS: readonly number[] = [SCAN, BACKLOG];

/** The due deliveries of one endpoint, as far as this process has read of them. */
interface Lane {
  readonly endpoint: string;
  readonly tenantId: string;
  /** Read and not claimed yet. */
  due: Due[];
  readAt: number;
  /** How many to read the next time. */
  page: number;
  /** Whether there may be more than was read. */
  more: boolean;
  /** Set by what becomes due while a read is under way, which may not see it. */
  renewed: boolean;
  /** Another process claims from it too. */
  contended: boolean;
}

export interface LanesDeps {
  /** Reads due deliveries that meet a condition. */
  find(condition: QueryFilter<DeliveryDocument>, limit: number, sort: Sort): Promise<Due[]>;
  limiter: {
    free(): number;
    acquire(item: LimitedDelivery): boolean;
    room(item: LimitedDelivery, quota: 'endpoint' | 'tenant'): number;
  };
  /** How many attempts at once the delivery's endpoint may have; 0 while the delivery is kept. */
  most(item: LimitedDelivery): number;
  clock: () => Date;
  /** From 0 to less than 1. */
  random?: () => number;
}

type Sort = Readonly<Record<string, 1>>;

export interface Lanes extends CandidateSource<LimitedDelivery> {
  /** An endpoint may have something due. Follow it by a look into {@link BACKLOG}. */
  expect(endpoint: EndpointOfTenant): void;
}

export type EndpointOfTenant = Pick<LimitedDelivery, 'endpoint' | 'tenantId'>;

/**
 * Read of one endpoint at once, only ids and what lanes know: at first about 64 KB, at most 2 MB. A database may read all that
 * is due there for each page, so pages grow where they are used up in time; in all, a process holds about as many as it
 * sends in {@link STALE_MS}.
 */
const FIRST_PAGE = 256;
const LARGEST_PAGE = 8_192;
const PAGE_GROWTH = 4;
/** Claimed at once at most. */
const LARGEST_CLAIM = 64;
/** Endpoints are claimed from when this share of their limit is free: few large claims instead of many small ones. */
const CLAIM_SHARE = 3;
/** What was read may be over by then: other processes have had it. */
const STALE_MS = 30_000;
/** Of one claim: fewer were woken here, more were claimed elsewhere. */
const CONTENDED = 4;

const BY_ENDPOINT: Sort = { endpoint: 1, attempt: 1, nextAttemptAt: 1 };
const BY_TIME: Sort = { nextAttemptAt: 1 };

interface State {
  readonly lanes: Map<string, Lane>;
  /** The last endpoint that the scan under way has read of; undefined when none is under way. */
  scannedTo: string | undefined;
}

/**
 * Due deliveries by endpoint. A scan steps from endpoint to endpoint by the index and reads a page of each at most, so that
 * a backlog of one is in nobody's way. What does not fit at once stays in the lane of its endpoint, and lanes take turns.
 */
export function createLanes(deps: LanesDeps): Lanes {
  const state: State = { lanes: new Map(), scannedTo: undefined };
  const isMore = () => state.lanes.size > 0 || state.scannedTo !== undefined;
  return {
    take: async (partition) => {
      const taken = partition === SCAN ? await scan(deps, state) : await takeFromBacklog(deps, state);
      return { taken, more: partition === SCAN ? state.scannedTo !== undefined : isMore() };
    },
    defer: (candidates) => {
      const waiting = candidates.filter((candidate) => deps.most(candidate) > 0);
      for (const candidate of waiting) {
        laneOf(state, candidate).more = true;
      }
      return waiting.map(() => BACKLOG);
    },
    lost: (candidates) => {
      for (const [, lost] of byEndpoint(candidates)) {
        if (lost.length >= CONTENDED) {
          Object.assign(laneOf(state, lost[0]), { due: [], more: true, contended: true });
        }
      }
    },
    expect: (endpoint) => {
      Object.assign(laneOf(state, endpoint), { more: true, renewed: true });
    },
  };
}

function laneOf({ lanes }: State, { endpoint, tenantId }: EndpointOfTenant): Lane {
  const found = lanes.get(endpoint);
  if (found) {
    return found;
  }
  const lane: Lane = {
    endpoint,
    tenantId,
    due: [],
    readAt: 0,
    page: FIRST_PAGE,
    more: false,
    renewed: false,
    contended: false,
  };
  lanes.set(endpoint, lane);
  return lane;
}

/** Reads pages until something fits or all was read; the next look goes on behind them. */
async function scan(deps: LanesDeps, state: State): Promise<Due[]> {
  for (;;) {
    const after = state.scannedTo ?? '';
    const page = await deps.find({ endpoint: { $gt: after } }, FIRST_PAGE, BY_ENDPOINT);
    const last = page.length === FIRST_PAGE ? page.at(-1)?.endpoint : undefined;
    state.scannedTo = last;
    for (const [endpoint, due] of byEndpoint(page)) {
      fill(deps, laneOf(state, due[0]), due.sort(byTime), endpoint === last);
    }
    const taken = pick(deps, state.lanes);
    if (taken.length > 0 || last === undefined) {
      return taken;
    }
  }
}

async function takeFromBacklog(deps: LanesDeps, { lanes }: State): Promise<Due[]> {
  // Attempts are recorded together and so end together: the first one's end would have a claim of one.
  await setImmediate();
  dropOver(deps, lanes);
  let ready = 0;
  for (const lane of lanes.values()) {
    if (ready >= Math.min(LARGEST_CLAIM, deps.limiter.free())) {
      break;
    }
    if (mayClaim(deps, lane)) {
      // Before anything is let begin: what is let begin and not claimed yet would be read again.
      if (lane.due.length === 0) {
        await refill(deps, lane);
      }
      ready += lane.due.length;
    }
  }
  const taken = pick(deps, lanes);
  dropOver(deps, lanes);
  return taken;
}

/** Reads the next of an endpoint: of one whose new deliveries are kept, those that were tried before. */
async function refill(deps: LanesDeps, lane: Lane): Promise<void> {
  const { endpoint, page } = lane;
  const condition = { endpoint, ...(isFreshKept(deps, lane) ? { attempt: { $gt: 0 } } : {}) };
  lane.renewed = false;
  const due = await deps.find(condition, page, BY_TIME);
  const isFull = due.length === page;
  // Processes that read the same page begin at different places of it, or each would claim what another has just got.
  fill(deps, lane, lane.contended && isFull ? rotate(due, deps.random ?? Math.random) : due, isFull);
  lane.contended = false;
  lane.page = isFull ? Math.min(page * PAGE_GROWTH, LARGEST_PAGE) : FIRST_PAGE;
}

function fill({ clock, most }: LanesDeps, lane: Lane, due: Due[], isFull: boolean): void {
  lane.due = due.filter((one) => most(one) > 0);
  lane.readAt = clock().getTime();
  lane.more = isFull || lane.renewed;
}

/** Lets begin what fits, from each lane as much as it may have. Those that got the most are last the next time. */
function pick(deps: LanesDeps, lanes: Map<string, Lane>): Due[] {
  const taken: Due[] = [];
  for (const lane of lanes.values()) {
    if (taken.length >= LARGEST_CLAIM || deps.limiter.free() <= 0) {
      break;
    }
    if (lane.due.length > 0 && mayClaim(deps, lane)) {
      const fitting = countFitting(deps, lane.due, LARGEST_CLAIM - taken.length);
      taken.push(...lane.due.splice(0, fitting));
    }
  }
  takeTurns(lanes, taken);
  return taken;
}

/** Lets the first of these begin, as many as fit. */
function countFitting({ limiter }: LanesDeps, due: readonly Due[], most: number): number {
  const firstLeft = due.findIndex((one, index) => index >= most || !limiter.acquire(one));
  return firstLeft < 0 ? due.length : firstLeft;
}

/** Whether enough of the endpoint's limit is free to be worth a claim. */
function mayClaim(deps: LanesDeps, lane: Lane): boolean {
  const item = { ...lane, attempt: isFreshKept(deps, lane) ? 1 : 0 };
  const most = deps.most(item);
  const worth = Math.max(1, Math.floor(most / CLAIM_SHARE));
  return most > 0 && deps.limiter.room(item, 'endpoint') >= worth && deps.limiter.room(item, 'tenant') > 0;
}

function isFreshKept({ most }: LanesDeps, lane: Lane): boolean {
  return most({ ...lane, attempt: 0 }) === 0;
}

/**
 * Forgets what was read too long ago, and lanes that have no more: paused endpoints too, for they are expected again at
 * their resume.
 */
function dropOver(deps: LanesDeps, lanes: Map<string, Lane>): void {
  const staleBefore = deps.clock().getTime() - STALE_MS;
  for (const lane of lanes.values()) {
    const [first] = lane.due;
    if (first && (lane.readAt < staleBefore || deps.most(first) === 0)) {
      Object.assign(lane, { due: [], more: true, page: FIRST_PAGE });
    }
    const isPaused = deps.most({ ...lane, attempt: 1 }) === 0;
    if (isPaused || (lane.due.length === 0 && !lane.more)) {
      lanes.delete(lane.endpoint);
    }
  }
}

function takeTurns(lanes: Map<string, Lane>, taken: readonly Due[]): void {
  const served = [...byEndpoint(taken)].sort(([, one], [, other]) => one.length - other.length);
  for (const [endpoint] of served) {
    const lane = lanes.get(endpoint);
    if (lane) {
      lanes.delete(endpoint);
      lanes.set(endpoint, lane);
    }
  }
}

function byEndpoint(candidates: readonly Due[]): Map<string, [Due, ...Due[]]> {
  const groups = new Map<string, [Due, ...Due[]]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.endpoint);
    if (group) {
      group.push(candidate);
    } else {
      groups.set(candidate.endpoint, [candidate]);
    }
  }
  return groups;
}

function byTime(one: Due, other: Due): number {
  return one.nextAttemptAt.getTime() - other.nextAttemptAt.getTime();
}

function rotate<T>(values: readonly T[], random: () => number): T[] {
  const start = Math.floor(random() * values.length);
  return [...values.slice(start), ...values.slice(0, start)];
}
