import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { ApiKeyDocument } from './model.ts';

/** The most keys of an account that are read. An account can have fewer. */
const MOST_WATCHED = 200;

/** A key in force. */
export interface WatchedKey {
  readonly keyId: string;
  /** null: it has no end. */
  readonly endsAt: Date | null;
  /** To the minute; null: never. */
  readonly lastUsedAt: Date | null;
}

/** Reads the keys of an account that are in force at a time, newest first. */
export type ReadWatchedKeys = (accountId: AccountId, now: Date) => Promise<WatchedKey[]>;

/** Reads keys for operational events, without any value that a key could be made of. */
export function createWatchedKeys(model: Model<ApiKeyDocument>): ReadWatchedKeys {
  return async (accountId, now) => {
    const found = await model
      .find({
        accountId,
        revokedAt: { $exists: false },
        $or: [{ endsAt: { $exists: false } }, { endsAt: { $gt: now } }],
      })
      .sort({ createdAt: -1 })
      .limit(MOST_WATCHED)
      .select({ endsAt: 1, lastUsedAt: 1 })
      .lean();
    return found.map(({ _id: keyId, endsAt = null, lastUsedAt = null }) => ({ keyId, endsAt, lastUsedAt }));
  };
}
