import { setImmediate } from 'node:timers/promises';
import type { QueryFilter } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { Candidate, CandidateSource } from '../runtime/work/claim.ts';
import { attemptsFrom, type DeliveryDocument } from './model.ts';

/** The fields of a delivery that quotas and backlogs need. */
export type LimitedDelivery = Pick<DeliveryDocument, 'accountId' | 'endpoint' | 'attempt'>;
type Due = Candidate<LimitedDelivery>;

/** The partition that finds endpoints with due deliveries. Only sweeps look into it. */
export const SCAN = 0;
/** The partition of deliveries that were found and did not fit yet. */
export const BACKLOG = 1;
export const PARTITIONS: readonly number[] = [SCAN, BACKLOG];

/** The due deliveries of one endpoint, as far as this process has read them. */
interface Backlog {
  readonly endpoint: string;
  readonly accountId: AccountId;
  /** Deliveries that were read and not claimed yet. */
  due: Due[];
  readAt: number;
  /** How many to read next time. */
  page: number;
  /** Whether there may be more than was read. */
  more: boolean;
  /** Set when a delivery becomes due during a read, which may not see it. */
  renewed: boolean;
  /** Whether another process claims from it too. */
  contended: boolean;
}

export interface BacklogsDeps {
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

export interface Backlogs extends CandidateSource<LimitedDelivery> {
  /** Says that an endpoint may have due deliveries. Look into {@link BACKLOG} after it. */
  expect(endpoint: EndpointOfTenant): void;
}

export type EndpointOfTenant = Pick<LimitedDelivery, 'endpoint' | 'accountId'>;

/**
 * Deliveries of one endpoint in a read, only ids and {@link LimitedDelivery}: at first about 64 KB, at most 2 MB. A database
 * may read everything that is due there for each page, so pages grow while they are used up in time. In all, a process holds
 * about as many as it sends in {@link STALE_MS}.
 */
const FIRST_PAGE = 256;
const LARGEST_PAGE = 8_192;
const PAGE_GROWTH = 4;
/** Most deliveries in a claim. */
const LARGEST_CLAIM = 64;
/**
 * Deliveries of an endpoint are claimed when this share of its limit is free: few large claims instead of many small ones.
 */
const CLAIM_SHARE = 3;
/** After this time, other processes may have sent what was read. */
const STALE_MS = 30_000;
/** Deliveries of a claim that show another process: fewer were woken here, more were claimed elsewhere. */
const CONTENDED = 4;

/** The order of the index of claims. */
export const BY_ENDPOINT: Sort = { endpoint: 1, attempt: 1, nextAttemptAt: 1 };
const BY_TIME: Sort = { nextAttemptAt: 1 };

interface State {
  readonly backlogs: Map<string, Backlog>;
  /** The last endpoint of the running scan; undefined without a scan. */
  scannedTo: string | undefined;
}

/**
 * Due deliveries by endpoint. A scan steps from endpoint to endpoint by the index and reads at most a page of each, so that
 * the backlog of one does not delay the others. Deliveries that do not fit wait here, and endpoints take turns.
 */
export function createBacklogs(deps: BacklogsDeps): Backlogs {
  const state: State = { backlogs: new Map(), scannedTo: undefined };
  const isMore = () => state.backlogs.size > 0 || state.scannedTo !== undefined;
  return {
    take: async (partition) => {
      const taken = partition === SCAN ? await scan(deps, state) : await takeFromBacklog(deps, state);
      return { taken, more: partition === SCAN ? state.scannedTo !== undefined : isMore() };
    },
    defer: (candidates) => {
      const waiting = candidates.filter((candidate) => deps.most(candidate) > 0);
      for (const candidate of waiting) {
        backlogOf(state, candidate).more = true;
      }
      return waiting.map(() => BACKLOG);
    },
    lost: (candidates) => {
      for (const [, lost] of byEndpoint(candidates)) {
        if (lost.length >= CONTENDED) {
          Object.assign(backlogOf(state, lost[0]), { due: [], more: true, contended: true });
        }
      }
    },
    expect: (endpoint) => {
      Object.assign(backlogOf(state, endpoint), { more: true, renewed: true });
    },
  };
}

function backlogOf({ backlogs }: State, { endpoint, accountId }: EndpointOfTenant): Backlog {
  const found = backlogs.get(endpoint);
  if (found) {
    return found;
  }
  const backlog: Backlog = {
    endpoint,
    accountId,
    due: [],
    readAt: 0,
    page: FIRST_PAGE,
    more: false,
    renewed: false,
    contended: false,
  };
  backlogs.set(endpoint, backlog);
  return backlog;
}

/** Reads pages until something fits or everything was read. The next look continues after them. */
async function scan(deps: BacklogsDeps, state: State): Promise<Due[]> {
  for (;;) {
    const after = state.scannedTo ?? '';
    const page = await deps.find({ endpoint: { $gt: after } }, FIRST_PAGE, BY_ENDPOINT);
    const last = page.length === FIRST_PAGE ? page.at(-1)?.endpoint : undefined;
    state.scannedTo = last;
    for (const [endpoint, due] of byEndpoint(page)) {
      fill(deps, backlogOf(state, due[0]), due.sort(byTime), endpoint === last);
    }
    const taken = pick(deps, state.backlogs);
    if (taken.length > 0 || last === undefined) {
      return taken;
    }
  }
}

async function takeFromBacklog(deps: BacklogsDeps, { backlogs }: State): Promise<Due[]> {
  // Attempts are recorded together and so end together; a claim at the first end would get only one.
  await setImmediate();
  dropOver(deps, backlogs);
  let ready = 0;
  for (const backlog of backlogs.values()) {
    if (ready >= Math.min(LARGEST_CLAIM, deps.limiter.free())) {
      break;
    }
    if (mayClaim(deps, backlog)) {
      // Before any delivery begins: otherwise deliveries that have begun and are not claimed yet would be read again.
      if (backlog.due.length === 0) {
        await refill(deps, backlog);
      }
      ready += backlog.due.length;
    }
  }
  const taken = pick(deps, backlogs);
  dropOver(deps, backlogs);
  return taken;
}

/** Reads the next deliveries of an endpoint. While its new deliveries are held, it reads those that were tried before. */
async function refill(deps: BacklogsDeps, backlog: Backlog): Promise<void> {
  const { endpoint, page } = backlog;
  const condition = { endpoint, attempt: attemptsFrom(isFreshKept(deps, backlog) ? 1 : 0) };
  backlog.renewed = false;
  const due = await deps.find(condition, page, BY_TIME);
  const isFull = due.length === page;
  // Processes that read the same page begin at different places. Otherwise each would try to claim what another has just
  // claimed.
  fill(deps, backlog, backlog.contended && isFull ? rotate(due, deps.random ?? Math.random) : due, isFull);
  backlog.contended = false;
  backlog.page = isFull ? Math.min(page * PAGE_GROWTH, LARGEST_PAGE) : FIRST_PAGE;
}

function fill({ clock, most }: BacklogsDeps, backlog: Backlog, due: Due[], isFull: boolean): void {
  backlog.due = due.filter((one) => most(one) > 0);
  backlog.readAt = clock().getTime();
  backlog.more = isFull || backlog.renewed;
}

/** Lets deliveries begin that fit, from each endpoint up to its limit. The endpoints that got most are last the next time. */
function pick(deps: BacklogsDeps, backlogs: Map<string, Backlog>): Due[] {
  const taken: Due[] = [];
  for (const backlog of backlogs.values()) {
    if (taken.length >= LARGEST_CLAIM || deps.limiter.free() <= 0) {
      break;
    }
    if (backlog.due.length > 0 && mayClaim(deps, backlog)) {
      const fitting = countFitting(deps, backlog.due, LARGEST_CLAIM - taken.length);
      taken.push(...backlog.due.splice(0, fitting));
    }
  }
  takeTurns(backlogs, taken);
  return taken;
}

/** Lets as many of the first deliveries begin as fit. */
function countFitting({ limiter }: BacklogsDeps, due: readonly Due[], most: number): number {
  const firstLeft = due.findIndex((one, index) => index >= most || !limiter.acquire(one));
  return firstLeft < 0 ? due.length : firstLeft;
}

/** Whether enough of the endpoint's limit is free to be worth a claim. */
function mayClaim(deps: BacklogsDeps, backlog: Backlog): boolean {
  const item = { ...backlog, attempt: isFreshKept(deps, backlog) ? 1 : 0 };
  const most = deps.most(item);
  const worth = Math.max(1, Math.floor(most / CLAIM_SHARE));
  return most > 0 && deps.limiter.room(item, 'endpoint') >= worth && deps.limiter.room(item, 'tenant') > 0;
}

function isFreshKept({ most }: BacklogsDeps, backlog: Backlog): boolean {
  return most({ ...backlog, attempt: 0 }) === 0;
}

/**
 * Drops deliveries that were read too long ago, and backlogs without any more. Paused endpoints are dropped too: their resume
 * announces them again.
 */
function dropOver(deps: BacklogsDeps, backlogs: Map<string, Backlog>): void {
  const staleBefore = deps.clock().getTime() - STALE_MS;
  for (const backlog of backlogs.values()) {
    const [first] = backlog.due;
    if (first && (backlog.readAt < staleBefore || deps.most(first) === 0)) {
      Object.assign(backlog, { due: [], more: true, page: FIRST_PAGE });
    }
    const isPaused = deps.most({ ...backlog, attempt: 1 }) === 0;
    if (isPaused || (backlog.due.length === 0 && !backlog.more)) {
      backlogs.delete(backlog.endpoint);
    }
  }
}

function takeTurns(backlogs: Map<string, Backlog>, taken: readonly Due[]): void {
  const served = [...byEndpoint(taken)].sort(([, one], [, other]) => one.length - other.length);
  for (const [endpoint] of served) {
    const backlog = backlogs.get(endpoint);
    if (backlog) {
      backlogs.delete(endpoint);
      backlogs.set(endpoint, backlog);
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
