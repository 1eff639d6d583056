import { type Connection, type Model, Schema } from 'mongoose';
import { REPLAYABLE, type ReplayableStatus } from './replay.ts';

/** RUNNING goes on by itself; DONE has come to its end or its limit; STOPPED was told to end. */
const BULK_REPLAY_STATES = ['RUNNING', 'DONE', 'STOPPED'] as const;
export type BulkReplayState = (typeof BULK_REPLAY_STATES)[number];

/** Which deliveries of the tenant are sent again. */
export interface BulkReplayFilter {
  readonly status: ReplayableStatus[];
  readonly event?: string;
  /** `DeliveryDocument.endpoint` */
  readonly endpoint?: string;
  /** Events at this instant or after it. */
  readonly from?: Date;
  /** Events before this instant; at the latest when the replay was asked for. */
  readonly before: Date;
}

/** Sending many deliveries again. All that is known of it is here: whoever works at it may die at any time. */
export interface BulkReplayDocument {
  /** `wr_` and 20 characters. */
  _id: string;
  tenantId: string;
  /** Counts those of the tenant, from 1. The next one is stored only when this one is over: so one runs at a time. */
  number: number;
  filter: BulkReplayFilter;
  /** At most this many are sent again. */
  limit: number;
  state: BulkReplayState;
  /** Deliveries that matched when it was asked for, `limit` at most. */
  found: number;
  replayed: number;
  /** Those that were found and were no longer over when their turn came, or gone. */
  skipped: number;
  /** The last delivery that was looked at; they are taken oldest first. Absent: none yet. */
  last?: { readonly createdAt: Date; readonly id: string };
  /** Counts what is written of it, the fence of those who work at it. */
  version: number;
  createdAt: Date;
  finishedAt?: Date;
}

/** As long as attempts are kept. */
const KEPT_SECONDS = 30 * 24 * 3600;

const required = { type: String, required: true };
const number = { type: Number, required: true };
const time = { type: Date, required: true };

const schema = new Schema<BulkReplayDocument>(
  {
    _id: required,
    tenantId: required,
    number,
    filter: {
      type: new Schema<BulkReplayFilter>(
        {
          status: { type: [String], required: true, enum: REPLAYABLE },
          event: String,
          endpoint: String,
          from: Date,
          before: time,
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
// Serves: those that are to be worked at.
schema.index({ state: 1 });
// Serves: a tenant's, newest first; of two that begin at once one finds its number taken. A number is never changed:
// SecantusDB keeps the former value of a unique field taken.
schema.index({ tenantId: 1, number: -1 }, { unique: true });
schema.index({ finishedAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

export type BulkReplayModel = Model<BulkReplayDocument>;

export function createBulkReplayModel(connection: Connection): BulkReplayModel {
  return connection.model<BulkReplayDocument>('WebhookReplay', schema);
}
