import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { keepWhole } from '../kernel/database/shard-keys.ts';

/** Ended deliveries may begin again. A PENDING one is tried anyway; PAUSED is the operator's decision. */
export const REPLAYABLE = ['DELIVERED', 'DEAD_LETTERED'] as const;
export type ReplayableStatus = (typeof REPLAYABLE)[number];

/**
 * RUNNING continues by itself; DONE has reached its end or its limit; STOPPED was stopped by a call, or had no URL any more to
 * send to.
 */
const BULK_REPLAY_STATES = ['RUNNING', 'DONE', 'STOPPED'] as const;
export type BulkReplayState = (typeof BULK_REPLAY_STATES)[number];

/** The status of deliveries that a replay finds: with {@link BulkReplayFilter.toCurrentUrlOf} also those that wait. */
export type BulkReplayStatus = ReplayableStatus | 'PENDING';

/** The filter of a replay: deliveries of the account. */
export interface BulkReplayFilter {
  readonly status: BulkReplayStatus[];
  readonly event?: string;
  /** `DeliveryDocument.endpoint` */
  readonly endpoint?: string;
  /** Events at this instant or after it. */
  readonly from?: Date;
  /** Events before this instant, at the latest the start of the replay. */
  readonly before: Date;
  /**
   * Id of an endpoint: only deliveries that were made for it and are for a URL that it no longer has. They are sent to its URL of
   * the moment. Absent: each delivery is sent to its own URL.
   */
  readonly toCurrentUrlOf?: string;
}

/** A replay of many deliveries. Its whole state is here: the process that works at it may die at any time. */
export interface BulkReplayDocument {
  /** `wr_` and 20 characters. */
  _id: string;
  accountId: AccountId;
  /**
   * The number of the account's replay, from 1. The next one is stored only after this one has ended, so one runs at a time.
   */
  number: number;
  filter: BulkReplayFilter;
  /** Most deliveries to send again. */
  limit: number;
  state: BulkReplayState;
  /** Deliveries that matched at its start, `limit` at most. */
  found: number;
  replayed: number;
  /** Deliveries that were found, but had begun again or were removed when their turn came. */
  skipped: number;
  /** The last delivery that was handled, oldest first. Absent: none yet. */
  last?: { readonly createdAt: Date; readonly id: string };
  /** Counts the writes: it fences off other processes that work at it. */
  version: number;
  createdAt: Date;
  finishedAt?: Date;
}

/** It is kept as long as attempts are. */
const KEPT_SECONDS = 30 * 24 * 3600;

const required = { type: String, required: true };
const number = { type: Number, required: true };
const time = { type: Date, required: true };

const schema = new Schema<BulkReplayDocument>(
  {
    _id: required,
    accountId: required,
    number,
    filter: {
      type: new Schema<BulkReplayFilter>(
        {
          status: { type: [String], required: true, enum: [...REPLAYABLE, 'PENDING'] },
          event: String,
          endpoint: String,
          from: Date,
          before: time,
          toCurrentUrlOf: String,
        },
        { _id: false },
      ),
      required: true,
    },
    limit: number,
    state: { type: String, required: true, enum: BULK_REPLAY_STATES },
    found: number,
    replayed: number,
    skipped: number,
    last: { type: new Schema({ createdAt: time, id: required }, { _id: false }) },
    version: number,
    createdAt: time,
    finishedAt: Date,
  },
  { collection: 'webhookReplays', versionKey: false },
);
keepWhole(schema, 'few');
// Serves: running replays.
schema.index({ state: 1 });
// Serves: an account's replays, newest first. When two begin at once, one finds its number taken. A number never changes:
// SecantusDB keeps the former value of a unique field taken.
schema.index({ accountId: 1, number: -1 }, { unique: true });
schema.index({ finishedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export type BulkReplayModel = Model<BulkReplayDocument>;

export function createBulkReplayModel(connection: Connection): BulkReplayModel {
  return connection.model<BulkReplayDocument>('WebhookReplay', schema);
}
