import { type Connection, type Model, Schema } from 'mongoose';
import { setShardKey } from '../../kernel/database/shard-keys.ts';

/** The calls that one caller was granted under one limit within its window. */
export interface RateLimitDocument {
  /** See {@link idOfUse}. */
  _id: string;
  /** Grants, oldest first. The next write drops those outside the window. */
  grants: { at: Date; count: number }[];
  /** Number of calls in the last grant; 0 for none. */
  granted: number;
  /** The id of the write that made the last grant. */
  token: string;
  /** The time from which nothing in it counts any more. */
  expireAt: Date;
}

// Every query is by name: no index beside that of _id.
const schema = new Schema<RateLimitDocument>(
  {
    _id: { type: String, required: true },
    grants: [{ _id: false, at: Date, count: Number }],
    granted: Number,
    token: String,
    expireAt: { type: Date, required: true },
  },
  { collection: 'rateLimits', versionKey: false },
);
setShardKey(schema, ['_id'], 'every statement names the id; written by every process');
// Serves: removal of calls that no longer count.
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

/** The id of a caller's document under the limit of this name. */
export function idOfUse(limit: string, caller: string): string {
  return `${limit}|${caller}`;
}

export function createRateLimitModel(connection: Connection): Model<RateLimitDocument> {
  return connection.model<RateLimitDocument>('RateLimit', schema);
}
