import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { keepWhole } from '../kernel/database/shard-keys.ts';
import type { ErrorClass } from './sender.ts';

/**
 * CLOSED: everything is tried. OPEN: new deliveries are held until the next probe. HALF_OPEN: one of them is tried to find
 * out whether the endpoint answers again.
 */
const BREAKER_STATES = ['CLOSED', 'OPEN', 'HALF_OPEN'] as const;
export type BreakerState = (typeof BREAKER_STATES)[number];

/** Why deliveries of an endpoint are held: its partner or an operator has paused it, or its breaker is not closed. */
export const HOLDS = ['PAUSED', 'BREAKER'] as const;
export type Hold = (typeof HOLDS)[number];

/** The outcome of an attempt, by its name in the counts. */
export type AttemptOutcome = 'delivered' | ErrorClass;

/** The attempts of one minute. Counts that are 0 are absent. */
export interface MinuteCounts {
  /** Deliveries whose first attempt was in this minute. */
  readonly tried?: number;
  /** Deliveries of these whose first attempt failed. */
  readonly failed?: number;
  readonly outcomes?: Readonly<Partial<Record<AttemptOutcome, number>>>;
  /** Attempts by the index of their bound in `LATENCY_BOUNDS_MS`. */
  readonly latency?: Readonly<Record<string, number>>;
}

/** The attempts of one hour. Counts that are 0 are absent. */
interface HourCounts {
  readonly delivered?: number;
  readonly failed?: number;
  /** Attempts by the index of their bound in `LATENCY_BOUNDS_MS`. */
  readonly latency?: Readonly<Record<string, number>>;
}

export interface Breaker {
  readonly state: BreakerState;
  /** Time of the last change of `state`. */
  readonly since: Date;
  /** OPEN: when the next probe may be made. HALF_OPEN: when the probe counts as lost, so that another may be made. */
  readonly probeAt?: Date;
  /** Probes that have failed since it opened. */
  readonly failedProbes: number;
  /** Counting begins with this minute: failures before the breaker closed do not open it again. */
  readonly countFrom?: number;
}

/** The state of one endpoint that all workers share. */
export interface EndpointStateDocument {
  /** `DeliveryDocument.endpoint`: a keyed digest of account and URL. */
  _id: string;
  accountId: AccountId;
  /** Empty while its deliveries are sent. */
  holds: Hold[];
  paused?: { readonly at: Date };
  breaker: Breaker;
  /** Counts by minute since 1970. Each write drops those older than `WINDOW_MINUTES`. */
  minutes?: Record<string, MinuteCounts>;
  /** Counts by hour since 1970. Each write drops those older than `WINDOW_HOURS`. */
  hours?: Record<string, HourCounts>;
  lastError?: { readonly errorClass: ErrorClass; readonly statusCode?: number; readonly at: Date };
  lastSuccessAt?: Date;
}

/** The age of the oldest counts. */
export const WINDOW_MINUTES = 60;

/** The age of the oldest counts by hour. */
export const WINDOW_HOURS = 24;

/** Upper bounds of the latency histogram, milliseconds; one more bucket holds what takes longer than the last. */
export const LATENCY_BOUNDS_MS = [10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000] as const;

const time = { type: Date, required: true };
const schema = new Schema<EndpointStateDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    holds: { type: [String], required: true, enum: HOLDS },
    paused: { type: new Schema({ at: time }, { _id: false }) },
    breaker: {
      type: new Schema(
        {
          state: { type: String, required: true, enum: BREAKER_STATES },
          since: time,
          probeAt: Date,
          failedProbes: { type: Number, required: true },
          countFrom: Number,
        },
        { _id: false },
      ),
      required: true,
    },
    minutes: Schema.Types.Mixed,
    hours: Schema.Types.Mixed,
    lastError: {
      type: new Schema(
        { errorClass: { type: String, required: true }, statusCode: Number, at: time },
        { _id: false },
      ),
    },
    lastSuccessAt: Date,
  },
  { collection: 'webhookEndpointStates', versionKey: false, minimize: false },
);
keepWhole(schema, 'one document for each endpoint');
// Serves: held endpoints, which every worker reads each second. An empty list has no entry for 'PAUSED'.
schema.index({ holds: 1 });
// Serves: the endpoints of an account, and its paused ones.
schema.index({ accountId: 1, holds: 1 });

export type EndpointStateModel = Model<EndpointStateDocument>;

export function createEndpointStateModel(connection: Connection): EndpointStateModel {
  return connection.model<EndpointStateDocument>('WebhookEndpointState', schema);
}

/** The fields of a new endpoint, as an upsert stores them. */
export function unknownEndpoint(
  accountId: AccountId,
  now: Date,
): Pick<EndpointStateDocument, 'accountId' | 'holds' | 'breaker'> {
  return { accountId, holds: [], breaker: { state: 'CLOSED', since: now, failedProbes: 0 } };
}

/** The minute of a time, by its name in `minutes`. */
export function minuteOf(at: Date): number {
  return Math.floor(at.getTime() / 60_000);
}

/** The hour of a time, by its name in `hours`. */
export function hourOf(at: Date): number {
  return Math.floor(at.getTime() / 3_600_000);
}
