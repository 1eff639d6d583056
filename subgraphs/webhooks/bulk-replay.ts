import type { QueryFilter } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { newId } from '../kernel/database/ids.ts';
import { atOrAfter } from '../kernel/database/time-bounds.ts';
import { isDuplicateKey } from '../kernel/database/transaction.ts';
import type { Alongside } from '../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../kernel/errors/result.ts';
import type { Lease, Leases } from '../runtime/leases/leases.ts';
import {
  type BulkReplayDocument,
  type BulkReplayFilter,
  type BulkReplayModel,
  type BulkReplayState,
  type BulkReplayStatus,
  REPLAYABLE,
} from './bulk-replay-model.ts';
import type { DeliveryDocument } from './model.ts';
import { receiverOf } from './receivers.ts';
import { type ReplayDeps, replayWithin } from './replay.ts';

/** Which deliveries to send again; all given conditions must hold. */
export interface BulkReplayInput {
  /** Absent or empty: DEAD_LETTERED; with `toCurrentUrlOf` PENDING, too, which is valid only there. */
  readonly status?: readonly BulkReplayStatus[] | null | undefined;
  readonly event?: string | null | undefined;
  /** The endpoint as deliveries name it. */
  readonly endpoint?: string | undefined;
  /** As {@link BulkReplayFilter.toCurrentUrlOf}. */
  readonly toCurrentUrlOf?: string | undefined;
  /** Events at this instant or after it. */
  readonly from?: Date | null | undefined;
  /** Events before this instant. */
  readonly before?: Date | null | undefined;
  /** At most this many, oldest first: 1 to 100,000; 10,000 when absent. */
  readonly limit?: number | null | undefined;
}

/** The progress of a replay. */
export interface BulkReplay {
  readonly id: string;
  readonly state: BulkReplayState;
  /** Deliveries that matched at its start, the limit at most. */
  readonly found: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly limit: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/** Sends many of an account's deliveries again, in the background. One replay of an account runs at a time. */
export interface BulkReplays {
  /** How many deliveries a replay would find, its limit at most. Failures: INVALID_REQUEST, WEBHOOK_ENDPOINT_NOT_FOUND. */
  count(accountId: AccountId, input: BulkReplayInput): Promise<Result<number>>;
  /**
   * Failures: INVALID_REQUEST, WEBHOOK_REPLAY_RUNNING; WEBHOOK_ENDPOINT_NOT_FOUND when the endpoint of `toCurrentUrlOf` has no URL.
   */
  start(accountId: AccountId, input: BulkReplayInput, alongside?: Alongside): Promise<Result<BulkReplay>>;
  /**
   * Stops a replay. Deliveries that it has sent again stay so, and an ended replay does not change. Failures:
   * WEBHOOK_REPLAY_NOT_FOUND.
   */
  stop(accountId: AccountId, id: string): Promise<Result<BulkReplay>>;
  find(accountId: AccountId, id: string): Promise<BulkReplay | undefined>;
  /** The newest 20 replays, newest first. */
  list(accountId: AccountId): Promise<BulkReplay[]>;
  /**
   * Works at all running replays, a batch of each in turn, until none is left or the signal aborts. One process works at a
   * time; after it dies, the next one continues within 30 s. A replay sends no delivery twice.
   * @throws the first error, after the other replays had their turn
   */
  work(signal: AbortSignal): Promise<void>;
}

export interface BulkReplayDeps extends ReplayDeps {
  replays: BulkReplayModel;
  leases: Leases;
}

const DEFAULT_LIMIT = 10_000;
const LARGEST_LIMIT = 100_000;
/** Most deliveries in one transaction. */
const BATCH = 100;
const LISTED = 20;
const LEASE = 'webhooks.replay';
const LEASE_MS = 30_000;

export function createBulkReplays(deps: BulkReplayDeps): BulkReplays {
  const { replays, clock, clocks } = deps;
  return {
    count: async (accountId, input) => {
      const read = readInput(input, clocks.accountClock(accountId));
      return read.ok ? count(deps, accountId, read.value) : read;
    },
    start: (...args) => start(deps, ...args),
    stop: async (accountId, _id) => {
      await replays.updateOne(
        { _id, accountId, state: 'RUNNING' },
        { $set: { state: 'STOPPED', finishedAt: clock() }, $inc: { version: 1 } },
      );
      const found = await replays.findOne({ _id, accountId }).lean();
      return found ? succeed(present(found)) : fail('WEBHOOK_REPLAY_NOT_FOUND');
    },
    find: async (accountId, _id) => {
      const found = await replays.findOne({ _id, accountId }).lean();
      return found ? present(found) : undefined;
    },
    list: async (accountId) =>
      (await replays.find({ accountId }).sort({ number: -1 }).limit(LISTED).lean()).map(present),
    work: (signal) => work(deps, signal),
  };
}

async function count(
  deps: BulkReplayDeps,
  accountId: AccountId,
  { filter, limit }: ReadInput,
): Promise<Result<number>> {
  const query = await toQuery(deps, accountId, filter);
  return query
    ? succeed(await deps.models.deliveries.countDocuments(query, { limit }))
    : fail('WEBHOOK_ENDPOINT_NOT_FOUND');
}

interface ReadInput {
  readonly filter: BulkReplayFilter;
  readonly limit: number;
}

function readInput(input: BulkReplayInput, now: Date): Result<ReadInput> {
  const { status, event, endpoint, toCurrentUrlOf, from, before, limit: asked } = input;
  const limit = asked ?? DEFAULT_LIMIT;
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= LARGEST_LIMIT)) {
    return fail('INVALID_REQUEST', `limit must be 1 to ${LARGEST_LIMIT}`, ['limit']);
  }
  const allowed: readonly BulkReplayStatus[] =
    toCurrentUrlOf === undefined ? REPLAYABLE : [...REPLAYABLE, 'PENDING'];
  const missed = allowed.filter((one) => one !== 'DELIVERED');
  const wanted = status?.length ? status : missed;
  if (!wanted.every((one) => allowed.includes(one))) {
    return fail('INVALID_REQUEST', `status may have ${allowed.join(', ')}`, ['status']);
  }
  const filter = {
    status: [...new Set(wanted)],
    ...(event == null ? {} : { event }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(toCurrentUrlOf === undefined ? {} : { toCurrentUrlOf }),
    ...(from == null ? {} : { from }),
    // Events after its start do not count, so the replay does not find deliveries that it has sent again.
    before: before && before < now ? before : now,
  };
  return succeed({ filter, limit });
}

/** The deliveries that match; undefined when the endpoint whose current URL they are to go to has none. */
async function toQuery(
  { tenants, identify }: Pick<BulkReplayDeps, 'tenants' | 'identify'>,
  accountId: AccountId,
  { status, event, endpoint, toCurrentUrlOf, from, before }: BulkReplayFilter,
): Promise<QueryFilter<DeliveryDocument> | undefined> {
  const query = {
    accountId,
    status: { $in: [...status] },
    createdAt: { ...(from && atOrAfter(from)), $lt: before },
    ...(event === undefined ? {} : { event }),
    ...(endpoint === undefined ? {} : { endpoint }),
  };
  if (toCurrentUrlOf === undefined) {
    return query;
  }
  const tenant = await tenants.findStored(accountId);
  const receiver = tenant && receiverOf(tenant, toCurrentUrlOf);
  return (
    receiver && {
      ...query,
      endpoint: { $ne: identify(accountId, receiver.url) },
      endpointId: toCurrentUrlOf,
    }
  );
}

async function start(
  deps: BulkReplayDeps,
  accountId: AccountId,
  input: BulkReplayInput,
  alongside?: Alongside,
): Promise<Result<BulkReplay>> {
  const { replays, clock } = deps;
  const createdAt = clock();
  const read = readInput(input, deps.clocks.accountClock(accountId));
  if (!read.ok) {
    return read;
  }
  const { filter, limit } = read.value;
  const latest = await replays.findOne({ accountId }).sort({ number: -1 }).lean();
  if (latest?.state === 'RUNNING') {
    return fail('WEBHOOK_REPLAY_RUNNING');
  }
  const number = (latest?.number ?? 0) + 1;
  const counted = await count(deps, accountId, read.value);
  if (!counted.ok) {
    return counted;
  }
  const { value: found } = counted;
  const document: BulkReplayDocument = {
    ...{ _id: newId('wr_'), accountId, filter, limit, number, state: 'RUNNING', found },
    ...{ replayed: 0, skipped: 0, version: 1, createdAt },
  };
  try {
    await deps.transaction((unit) => {
      unit.insert(replays, [document]);
      alongside?.(unit);
    });
  } catch (error) {
    if (isDuplicateKey(error)) {
      return fail('WEBHOOK_REPLAY_RUNNING');
    }
    throw error;
  }
  return succeed(present(document));
}

async function work(deps: BulkReplayDeps, signal: AbortSignal): Promise<void> {
  const { replays, leases } = deps;
  if (!(await replays.exists({ state: 'RUNNING' }))) {
    return;
  }
  let lease: Lease | null = await leases.acquire(LEASE, LEASE_MS);
  const failures = new Map<string, unknown>();
  try {
    while (lease && !signal.aborted) {
      const running = await replays.find({ state: 'RUNNING' }).lean();
      const able = running.filter(({ _id }) => !failures.has(_id));
      if (able.length === 0) {
        break;
      }
      await workAtEach(deps, able, failures, signal);
      lease = await leases.renew(lease, LEASE_MS);
    }
  } finally {
    if (lease) {
      await leases.release(lease);
    }
  }
  for (const error of failures.values()) {
    throw error;
  }
}

/** Works at a batch of each. After a failure, the next work tries again; the others go on. */
async function workAtEach(
  deps: BulkReplayDeps,
  running: readonly BulkReplayDocument[],
  failures: Map<string, unknown>,
  signal: AbortSignal,
): Promise<void> {
  for (const replay of running) {
    if (signal.aborted) {
      return;
    }
    try {
      await workAtBatch(deps, replay);
    } catch (error) {
      failures.set(replay._id, error);
    }
  }
}

/** Another process has written the replay: this batch belongs to it, or the replay was stopped. */
class ReplayMovedError extends Error {
  override readonly name = 'ReplayMovedError';
}

/** Writes one batch and the progress after it, both or neither. */
async function workAtBatch(deps: BulkReplayDeps, replay: BulkReplayDocument): Promise<void> {
  const { accountId, filter } = replay;
  const batch = await findBatch(deps, replay);
  const ids = batch?.map(({ _id }) => _id) ?? [];
  const to = filter.toCurrentUrlOf === undefined ? 'stored' : 'current';
  try {
    const replayed = await deps.transaction(async (unit) => {
      const results = await replayWithin(deps, accountId, ids, to, unit);
      const renewed = ids.filter((_id, index) => results[index]?.ok);
      unit.update(deps.replays, {
        filter: { _id: replay._id, state: 'RUNNING', version: replay.version },
        update: batch
          ? progress(replay, batch, renewed.length, deps.clock())
          : { $set: { state: 'STOPPED', finishedAt: deps.clock() }, $inc: { version: 1 } },
        otherwise: () => new ReplayMovedError(),
      });
      return renewed;
    });
    deps.wake(replayed);
  } catch (error) {
    if (!(error instanceof ReplayMovedError)) {
      throw error;
    }
  }
}

type Place = Pick<DeliveryDocument, '_id' | 'createdAt'>;

/** The next deliveries, oldest first, only ids; undefined when there is no URL any more to send them to. */
async function findBatch(deps: BulkReplayDeps, replay: BulkReplayDocument): Promise<Place[] | undefined> {
  const { accountId, filter, last } = replay;
  const after = last
    ? { $or: [{ createdAt: { $gt: last.createdAt } }, { createdAt: last.createdAt, _id: { $gt: last.id } }] }
    : {};
  // The lower bound stands in the range itself: an index cannot start from a bound inside `$or`.
  const query = await toQuery(deps, accountId, last ? { ...filter, from: last.createdAt } : filter);
  return (
    query &&
    deps.models.deliveries
      .find({ ...query, ...after })
      .sort({ createdAt: 1, _id: 1 })
      .limit(roomOf(replay))
      .select({ createdAt: 1 })
      .lean<Place[]>()
  );
}

/** The size of the next batch within the limit. */
function roomOf({ limit, replayed }: BulkReplayDocument): number {
  return Math.min(BATCH, limit - replayed);
}

function progress(replay: BulkReplayDocument, batch: readonly Place[], renewed: number, now: Date) {
  const last = batch.at(-1);
  const isOver = batch.length < roomOf(replay) || replay.replayed + renewed >= replay.limit;
  return {
    $inc: { version: 1, replayed: renewed, skipped: batch.length - renewed },
    ...(last || isOver
      ? {
          $set: {
            ...(last && { last: { createdAt: last.createdAt, id: last._id } }),
            ...(isOver && { state: 'DONE' as const, finishedAt: now }),
          },
        }
      : {}),
  };
}

function present(document: BulkReplayDocument): BulkReplay {
  const { _id: id, state, found, replayed, skipped, limit, createdAt, finishedAt = null } = document;
  return { id, state, found, replayed, skipped, limit, createdAt, finishedAt };
}
