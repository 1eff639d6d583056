import { type Connection, type Model, type mongo, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/**
 * The figures of what an account created in one hour, of one kind of entity, as it stands now. A later change moves its numbers in
 * the hour of the creation. Absent counters are 0.
 */
export interface FigureCounts {
  /** Entities by status. */
  readonly status?: Readonly<Record<string, number>>;
  /** Exact sums by currency: of all, and of those that succeeded. */
  readonly money?: Readonly<
    Record<string, { readonly created?: mongo.Decimal128; readonly completed?: mongo.Decimal128 }>
  >;
  /** By countries, such as `US-MX`: all, and those that ended, by outcome. */
  readonly corridors?: Readonly<
    Record<string, Readonly<Partial<Record<'created' | 'completed' | 'failed' | 'cancelled', number>>>>
  >;
  /** Failures by cause. */
  readonly causes?: Readonly<Record<string, number>>;
  /** Successes by the bucket of the time that they took, see `durationBucket`. */
  readonly durations?: Readonly<Record<string, number>>;
}

/** The figures of an account's entities of one kind by the hour of a day in UTC in which they were created. */
interface FigureDayDocument {
  /** `accountId|entity|YYYY-MM-DD` */
  _id: string;
  accountId: AccountId;
  /** By the number of the hour, 0 to 23. */
  counts: Record<string, FigureCounts>;
}

export type FigureModel = Model<FigureDayDocument>;

const schema = new Schema<FigureDayDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    counts: Schema.Types.Mixed,
  },
  { collection: 'figures', versionKey: false, minimize: false },
);
keepWhole(schema, 'a document for each account, kind and day, written with the numbers of the event log');

export function createFigureModel(connection: Connection): FigureModel {
  return connection.model<FigureDayDocument>('FigureDay', schema);
}

/** The id of a day's figures. @param at any time of the day */
export function figureDayId(accountId: AccountId, entity: string, at: Date): string {
  return `${accountId}|${entity}|${at.toISOString().slice(0, 10)}`;
}
