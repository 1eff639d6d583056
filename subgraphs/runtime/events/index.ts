import type { Connection } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../kernel/config/work-settings.ts';
import { removeEach, removeInRounds } from '../../kernel/database/remove-expired.ts';
import { createTransactions, type RunTransaction } from '../../kernel/database/transaction.ts';
import type { Logger } from '../../kernel/log/log.ts';
import { BATCH_SIZE, createBatches, createNumberedMemory } from './batch.ts';
import { type Cursors, createCursors } from './cursor.ts';
import { createFigureReader, type FigureReader } from './figures.ts';
import { createEventHistory, type EventHistory } from './history.ts';
import { createEventLog, type EventLog } from './log.ts';
import { type LogStatus, readLogStatus } from './log-status.ts';
import { createEventModels, type EventModels } from './model.ts';
import { createNumbering } from './numbering.ts';
import { openLog, partitionsOf } from './partitions.ts';
import { createEventReader, type EventReader, type UnclaimedWork } from './reader.ts';
import { createSequencer, type Sequencer } from './sequencer.ts';
import { createShares } from './shares.ts';
import { createStreams, type Streams } from './stream.ts';
import { createTails, type Tails } from './tails.ts';
import { createUnclaimedPoll } from './unclaimed.ts';
import { isOfMongos, watchEvents, watchHeads, watchUnclaimed } from './watch.ts';
import type { Watcher } from './watcher.ts';

export {
  durationBound,
  durationBucket,
  type FigureEntity,
  type FigureHour,
  type FigureReader,
} from './figures.ts';
export type { EventHistory, PastEvent } from './history.ts';
export { deliveriesData } from './log.ts';
export type { NewEvent } from './model.ts';
export type { UnclaimedWork } from './reader.ts';
export type { FollowOptions, LoggedEvent } from './stream.ts';

/** Receives work that no process has a lease of. */
export interface UnclaimedListener {
  /** It receives work from now on; there may be work that was stored before. */
  onOpen(): void;
  onWork(work: readonly UnclaimedWork[]): void;
}

interface EventStats extends LogStatus {
  /** Iterations of this process that have not ended. */
  readonly activeFollowers: number;
  /** How many partitions this process numbers. */
  readonly ownPartitions: number;
}

export interface Events {
  /**
   * Checks that the log of the database has the configured partitions; divides a new log into them. To be called before
   * anything is written. @throws PartitionsError, with what to do
   */
  open(): Promise<void>;
  readonly log: EventLog;
  readonly follow: Streams['follow'];
  readonly history: EventHistory;
  /** Figures of entities by the hour of their creation. */
  readonly figures: FigureReader;
  /**
   * Where the account's log stands now, to be read before what {@link follow} is to keep up to date; see
   * {@link latestCursor}. Throws when the database cannot be reached.
   */
  latestCursor(accountId: AccountId): Promise<string>;
  /** At least one process needs it. Several divide the partitions of the log among them. */
  readonly sequencer: Pick<Sequencer, 'start' | 'stop'>;
  /**
   * Listens to the change stream for work that was stored without a lease, by whichever process; on a mongos it polls the
   * numbered log as well. A store without change streams reports nothing: the listener must also poll. The caller stops it.
   */
  onUnclaimed(listener: UnclaimedListener): Pick<Watcher, 'stop'>;
  /** Removes events that no valid cursor can reach, beside the traffic. @returns how many events */
  removeExpired(signal: AbortSignal): Promise<number>;
  /** Where the numbering stands, in whichever process, and this process's part of it. Throws when the database cannot be reached. */
  status(): Promise<EventStats>;
  /** Ends all iterations and all work in the background. The connection stays open: it is the caller's. */
  close(): Promise<void>;
}

interface EventsDeps {
  connection: Connection;
  log: Logger;
  /** 32 bytes each: cursors are sealed under the first and open under all. */
  cursorKeys: readonly [Buffer, ...Buffer[]];
  /** Default: transactions of the connection that nobody stops. */
  transaction?: RunTransaction;
  /** How many partitions the log has. Default {@link DEFAULT_PARTITIONS}. */
  partitions?: number;
  /** How long events and cursors are good for, in days. Default 30 (decisions, section 5). */
  retentionDays?: number;
  /** How often to look without a wake signal, in milliseconds. Default 250. */
  pollMs?: number;
  /** How long an event waits for the version before it when the log has none, in milliseconds. Default 5,000. */
  holdMs?: number;
  /** Events that may wait in memory for one slow follower before it reads the log instead. Default 1,000. */
  queueLimit?: number;
  /** The present time; the process's by default. */
  clock?: () => Date;
  /** Whether the machine's clock is right. While it is not, this process numbers no events. */
  isClockRight: () => boolean;
}

const DAY_MS = 86_400_000;

/**
 * The event log and what follows it. A process that only writes or follows need not start the sequencer; followers
 * cost nothing until there is one.
 */
export function createEvents(deps: EventsDeps): Events {
  const { connection, log, cursorKeys, clock = () => new Date(), pollMs = 250 } = deps;
  const { partitions = DEFAULT_PARTITIONS } = deps;
  const models = createEventModels(connection);
  const reader = createEventReader(models, partitions);
  const tails: Tails = createTails({
    reader,
    partitions,
    log,
    pollMs,
    watcher: watchHeads(deps, models.heads, {
      onOpen: () => tails.wake(),
      onChanges: (places) => tails.onNumbered(places),
    }),
  });
  const cursors = createCursors(cursorKeys);
  const streams = createStreams({
    ...{ reader, log, clock, cursors },
    tail: tails,
    waitingLimit: deps.queueLimit,
  });
  const sequencer: Sequencer = createSequencer({
    shares: createShares({ model: models.log, partitions, clock, isClockRight: deps.isClockRight }),
    numberingOf: createNumberings(deps, models),
    findUnnumbered: reader.unnumbered,
    watcher: watchEvents(deps, models.events, {
      onOpen: () => sequencer.poll(),
      onChanges: (events) => sequencer.onUnnumbered(events),
    }),
    log,
    pollMs,
    onNumbered: (place) => tails.onNumbered([place]),
  });
  return {
    open: async () => void (await openLog(models.log, partitions)),
    log: createEventLog({ model: models.events, partitions, wake: sequencer.wake }),
    follow: streams.follow,
    history: createEventHistory(models),
    figures: createFigureReader(models.figures),
    latestCursor: (accountId) =>
      latestCursor({ reader, cursors, clock, retentionMs: retentionMsOf(deps) }, accountId),
    sequencer,
    onUnclaimed: ({ onOpen, onWork }) => {
      const watcher = watchUnclaimed(deps, models.events, { onOpen, onChanges: onWork });
      watcher.start();
      const poll = isOfMongos(deps)
        ? createUnclaimedPoll({ reader, partitions: partitionsOf(partitions), log, pollMs, onWork })
        : undefined;
      poll?.start();
      return { stop: async () => void (await Promise.all([watcher.stop(), poll?.stop()])) };
    },
    removeExpired: (signal) => removeExpiredEvents(models, clock(), signal),
    status: async () => ({
      ...(await readLogStatus({ models, partitions }, clock())),
      activeFollowers: streams.active(),
      ownPartitions: sequencer.partitions(),
    }),
    close: async () => {
      streams.close();
      await Promise.all([sequencer.stop(), tails.close()]);
    },
  };
}

function createNumberings(deps: EventsDeps, models: EventModels) {
  const { connection, log, clock = () => new Date(), holdMs = 5_000 } = deps;
  const { transaction: runTransaction = createTransactions(connection) } = deps;
  const memory = createNumberedMemory();
  const retentionMs = retentionMsOf(deps);
  return (partition: number) => {
    const batches = createBatches({
      model: models.events,
      partition,
      memory,
      size: BATCH_SIZE,
      holdMs,
      now: () => performance.now(),
      onOrphan: ({ accountId, entity, entityId, version }) =>
        log.warn({ accountId, entity, entityId, version }, 'sequencer.version_gap'),
    });
    return createNumbering({ models, partition, batches, runTransaction, clock, retentionMs });
  };
}

function retentionMsOf({ retentionDays = 30 }: EventsDeps): number {
  return retentionDays * DAY_MS;
}

interface LatestDeps {
  reader: Pick<EventReader, 'head' | 'lastOf'>;
  cursors: Pick<Cursors, 'encode'>;
  clock(): Date;
  /** How long the log is kept, in milliseconds. */
  retentionMs: number;
}

/**
 * Where an account's log stands: the cursor of its last numbered event. Numbers are given after commits, so whatever is read
 * after this has all that the cursor is behind, and all that it lacks comes to a follower of the log after the cursor; some
 * of what was read comes again, when it had no number yet.
 *
 * It is the account's own last event, not the head of the log: that would show how often others write. As everything after
 * it is still there, it is good for about the whole time that the log is kept, also where its event is older; for that its
 * text changes once a day. Without any event it is the beginning of the log.
 * @throws when the database cannot be reached
 */
async function latestCursor(
  { reader, cursors, clock, retentionMs }: LatestDeps,
  accountId: AccountId,
): Promise<string> {
  const last = await reader.lastOf(accountId, await reader.head(accountId));
  const today = Math.floor(clock().getTime() / DAY_MS) * DAY_MS;
  const keptUntil = new Date(Math.max(last?.keptUntil.getTime() ?? 0, today + retentionMs));
  return cursors.encode(accountId, { seq: last?.seq ?? 0, keptUntil });
}

/** Events stay this much longer than `keptUntil`, because clocks differ. */
const MARGIN_MS = DAY_MS;

/**
 * Removes events behind their `keptUntil`, in small rounds beside the traffic. `keptUntil` never decreases along the log and is
 * that of the cursor, too: a cursor that still counts has lost nothing that comes after it. Events without a number stay,
 * for it has no such field. Safe to run twice at once.
 * @returns how many
 */
async function removeExpiredEvents(
  { events }: Pick<EventModels, 'events'>,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - MARGIN_MS);
  return removeInRounds(async (most) => {
    const expired = await events
      .find({ keptUntil: { $lt: before } })
      .sort({ keptUntil: 1, seq: 1 })
      .limit(most)
      .select('_id')
      .lean();
    await removeEach(events, expired);
    return expired.length;
  }, signal);
}
