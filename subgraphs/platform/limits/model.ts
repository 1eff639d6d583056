import { type Connection, type Model, Schema } from 'mongoose';

/** What one caller was granted of one limit within its window. */
export interface RateLimitDocument {
  /** `limit|caller` */
  _id: string;
  /** Oldest first; those that have left the window are dropped with the next write. */
  grants: { at: Date; count: number }[];
  /** Number of calls in the last grant; 0 for none. */
  granted: number;
  /** Names the write that made the last grant. */
  token: string;
  /** When nothing of it counts any more. */
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
// Serves: removal of calls that no longer count.
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export function createRateLimitModel(connection: Connection): Model<RateLimitDocument> {
  return connection.model<RateLimitDocument>('RateLimit', schema);
}
