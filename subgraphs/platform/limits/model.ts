import { type Connection, type Model, Schema } from 'mongoose';

/** What one caller was granted of one limit within its window. */
export interface RateLimitDocument {
  /** `limit|caller` */
  _id: string;
  /** Oldest first; those that have left the window are dropped with the next question. */
  grants: { at: Date; count: number }[];
  /** What the last grant gave, 0 for none, and whose it was. */
  granted: number;
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
// Serves: removal of what counts no more.
schema.index({ expireAt: 1 }, { expireAfterSeconds: 0 });

export function createRateLimitModel(connection: Connection): Model<RateLimitDocument> {
  return connection.model<RateLimitDocument>('RateLimit', schema);
}
