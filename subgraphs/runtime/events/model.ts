import { type Connection, type Model, Schema, type Types } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { createFigureModel, type FigureModel } from './figure-model.ts';

/** The kinds of entities that the log has events of. */
export const EVENT_ENTITIES = [
  'requestMoney',
  'remittance',
  'operation',
  'link',
  'user',
  'webhookDelivery',
] as const;
export type EventEntity = (typeof EVENT_ENTITIES)[number];

/**
 * The part of a change that figures (`figures.ts`) count, besides its statuses. It has no personal data. Its names become names of
 * counters, so each is from a short list.
 */
export interface EventFigure {
  /** When the entity was created. All its changes count at this time. */
  createdAt: Date;
  /** The money that the recipient gets: a decimal string, and its currency. */
  money?: { amount: string; currency: string };
  /** The countries from and to which the money goes, such as `US-MX`. */
  corridor?: string;
  /** How the entity has ended with this change. */
  outcome?: 'completed' | 'failed' | 'cancelled';
  /** Why it failed, from a short list. */
  cause?: string;
  /** Milliseconds from its creation to its success, at most once for each entity. */
  ms?: number;
}

/** One change of one entity, as its writer appends it. */
export interface NewEvent {
  accountId: AccountId;
  entity: EventEntity;
  entityId: string;
  /**
   * The entity's version after the change: 1 for its creation, then one more each time. The change must be conditional
   * on the version before it, so that commits come in this order too.
   */
  version: number;
  /** Dotted, past tense: `request_money.created`. */
  type: string;
  /** null for the creation. */
  previousStatus: string | null;
  status: string;
  statusDetails?: string | undefined;
  /** A few small values that followers need beside the status; ids, never personal data. Default `{}`. */
  data?: Record<string, unknown>;
  occurredAt: Date;
  /** The part that figures count; absent for entities that have no figures. */
  figure?: EventFigure;
  /** Set when the change leaves work that no process has a lease of, so that workers of other processes are notified. */
  unclaimed?: true | undefined;
}

/** An event as the log keeps it. The sequencer sets `seq` and `keptUntil` and takes `pending` away, all at once. */
export interface EventDocument {
  _id: Types.ObjectId;
  /** Partition of the log, by the account; see `partitionOf`. */
  partition: number;
  accountId: AccountId;
  entity: EventEntity;
  entityId: string;
  version: number;
  type: string;
  previousStatus: string | null;
  status: string;
  statusDetails?: string;
  data: Record<string, unknown>;
  occurredAt: Date;
  /** Until the event is numbered: then the figures have counted it. */
  figure?: EventFigure;
  /** Value at the moment of the change: it says nothing of later values. */
  unclaimed?: true;
  /** true from append until numbered. A mark of its own because a partial index cannot ask for an absent field. */
  pending?: true;
  /** Place in the partition: 1, 2, 3… without gaps. */
  seq?: number;
  /** A cursor made of this event is good until then; never earlier than that of the event before it. */
  keptUntil?: Date;
}

/** An event with its place in the log. */
export type NumberedEvent = EventDocument & { seq: number; keptUntil: Date };

/** How far a partition is numbered: the one document that every numbering changes, so that no two can both commit. */
export interface EventHeadDocument {
  /** The partition. */
  _id: number;
  /** The last number given; 0 before the first. */
  lastSeq: number;
  /** The greatest term that has numbered; a holder of a lower one can no longer write. */
  term: number;
  /** `keptUntil` of the last numbered event. */
  keptUntil: Date;
  /** When the last number was given; absent before the first. */
  numberedAt?: Date;
}

/** Which process numbers a partition. */
interface PartitionHolder {
  /** The process's token in {@link EventLogDocument.processes}. */
  readonly token: string;
  /** The revision with which it took the partition: greater than that of every holder before it. */
  readonly term: number;
}

/** The division of the log: one document, which processes change by compare-and-set on `revision`. */
export interface EventLogDocument {
  _id: typeof EVENT_LOG;
  /** How many partitions the log has. */
  partitions: number;
  /** The number after which every partition began: 0, until the log is divided anew. */
  startsAfter: number;
  /** How many events had a number when the log was divided anew; 0 before. */
  numberedBefore: number;
  /** Grows by one with each change. */
  revision: number;
  /** The processes that number events, and until when each holds its partitions unless it says so again. */
  processes: { token: string; until: Date }[];
  /** By partition; null for one that no process numbers. */
  holders: (PartitionHolder | null)[];
}
export const EVENT_LOG = 'events';

const required = { type: String, required: true };

const eventSchema = new Schema<EventDocument>(
  {
    partition: { type: Number, required: true },
    accountId: required,
    entity: { type: String, required: true, enum: EVENT_ENTITIES },
    entityId: required,
    version: { type: Number, required: true, min: 1, validate: Number.isInteger },
    type: required,
    previousStatus: { type: String, default: null },
    status: required,
    statusDetails: String,
    data: { type: Schema.Types.Mixed, default: () => ({}) },
    occurredAt: { type: Date, required: true },
    figure: Schema.Types.Mixed,
    unclaimed: Boolean,
    pending: Boolean,
    seq: Number,
    keptUntil: Date,
  },
  { collection: 'events', versionKey: false, minimize: false, strict: 'throw' },
);
keepWhole(eventSchema, 'one order in each partition, numbered in one transaction with its head');
// Serves: each version of an entity is written once; the version before a given one; replay of a single entity.
eventSchema.index({ accountId: 1, entity: 1, entityId: 1, version: 1 }, { unique: true });
// Serves: the next unnumbered events of a partition, oldest first, and the age of the oldest of all. Its own condition is in it:
// they are counted from the index alone.
eventSchema.index(
  { pending: 1, partition: 1, occurredAt: 1, _id: 1 },
  { partialFilterExpression: { pending: true } },
);
// Serves: the tail, everything in a partition after a number. Unique as the last line of defence; numbers are given by the head.
eventSchema.index(
  { partition: 1, seq: 1 },
  { unique: true, partialFilterExpression: { seq: { $exists: true } } },
);
// Serves: replay of one account's events of one kind between two numbers.
eventSchema.index(
  { accountId: 1, entity: 1, seq: 1 },
  { partialFilterExpression: { seq: { $exists: true } } },
);
// Serves: retention, see `removeExpiredEvents`. By time of numbering, not by occurredAt: removal then goes in the order of the log.
eventSchema.index({ keptUntil: 1, seq: 1 }, { partialFilterExpression: { keptUntil: { $exists: true } } });

const headSchema = new Schema<EventHeadDocument>(
  {
    _id: { type: Number, required: true },
    lastSeq: { type: Number, required: true },
    term: { type: Number, required: true },
    keptUntil: { type: Date, required: true },
    numberedAt: Date,
  },
  { collection: 'eventHeads', versionKey: false },
);
keepWhole(headSchema, 'a document for each partition');

const logSchema = new Schema<EventLogDocument>(
  {
    _id: { type: String, required: true },
    partitions: { type: Number, required: true },
    startsAfter: { type: Number, required: true },
    numberedBefore: { type: Number, required: true },
    revision: { type: Number, required: true },
    processes: { type: Schema.Types.Mixed, required: true },
    holders: { type: Schema.Types.Mixed, required: true },
  },
  { collection: 'eventLog', versionKey: false, strict: 'throw' },
);
keepWhole(logSchema, 'one document');

/** The collections of the event log (design, "Event log and subscriptions"). */
export interface EventModels {
  readonly events: Model<EventDocument>;
  readonly heads: Model<EventHeadDocument>;
  readonly log: Model<EventLogDocument>;
  readonly figures: FigureModel;
}

export function createEventModels(connection: Connection): EventModels {
  return {
    events: connection.model<EventDocument>('Event', eventSchema),
    heads: connection.model<EventHeadDocument>('EventHead', headSchema),
    log: connection.model<EventLogDocument>('EventLog', logSchema),
    figures: createFigureModel(connection),
  };
}
