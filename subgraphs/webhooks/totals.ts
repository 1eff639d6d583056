import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import { keepWhole } from '../kernel/database/shard-keys.ts';
import { atOrAfter } from '../kernel/database/time-bounds.ts';

/** The remains of removed deliveries: counts of an account's endpoint, by the day of their end. */
export interface DeliveryTotalsDocument {
  /** `accountId|endpoint|day` */
  _id: string;
  accountId: AccountId;
  /** The status of the deliveries. */
  endpoint: string;
  /** 00:00 UTC of the day. */
  day: Date;
  delivered: number;
  deadLettered: number;
  /** The sum of their attempts. */
  attempts: number;
}

export type DeliveryTotalsModel = Model<DeliveryTotalsDocument>;

const required = { type: String, required: true };
const count = { type: Number, required: true };

const totalsSchema = new Schema<DeliveryTotalsDocument>(
  {
    _id: required,
    accountId: required,
    endpoint: required,
    day: { type: Date, required: true },
    delivered: count,
    deadLettered: count,
    attempts: count,
  },
  { collection: 'webhookTotals', versionKey: false },
);
keepWhole(totalsSchema, 'one document for each endpoint and day');
// Serves: the totals of an account, by day.
totalsSchema.index({ accountId: 1, day: -1, endpoint: 1 });

/**
 * The totals of an account since the beginning of a day, newest day first. They do not count deliveries that are still stored.
 */
export function readDeliveryTotals(
  totals: DeliveryTotalsModel,
  accountId: AccountId,
  since: Date,
): Promise<DeliveryTotalsDocument[]> {
  const day = new Date(since);
  day.setUTCHours(0, 0, 0, 0);
  return totals
    .find({ accountId, day: atOrAfter(day) })
    .sort({ day: -1, endpoint: 1 })
    .lean();
}

export function createDeliveryTotalsModel(connection: Connection): DeliveryTotalsModel {
  return connection.model<DeliveryTotalsDocument>('WebhookTotals', totalsSchema);
}
