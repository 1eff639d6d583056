import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { isDuplicateKey, retryOnConflict } from '../../kernel/database/transaction.ts';
import { digestOf } from './lookup.ts';

/** A token of a sign-in or a sign-out that was used, until it is no longer valid. */
interface UsedTokenDocument {
  /** HMAC-SHA256 of the token under the pepper, hexadecimal. */
  _id: string;
  expiresAt: Date;
}

const schema = new Schema<UsedTokenDocument>(
  { _id: { type: String, required: true }, expiresAt: { type: Date, required: true } },
  { collection: 'usedTokens', versionKey: false },
);
keepWhole(schema, 'few, for minutes; nobody knows whose they are');
// Serves: removal of tokens that are no longer valid anyway.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createUsedTokenModel(connection: Connection): Model<UsedTokenDocument> {
  return connection.model<UsedTokenDocument>('UsedToken', schema);
}

/** Lets each token be used once, over all processes. */
export interface UsedTokens {
  /** Whether this is the first use of the token. @param until when it is no longer valid */
  use(token: string, until: Date): Promise<boolean>;
  /** Marks a token as used until a time, or until a later one that it has already. */
  extend(token: string, until: Date): Promise<void>;
  /** Whether the token was used, and is marked until this time or longer. */
  isUsed(token: string, until: Date): Promise<boolean>;
}

export function createUsedTokens({
  model,
  pepper,
}: {
  model: Model<UsedTokenDocument>;
  pepper: string;
}): UsedTokens {
  return {
    use: async (token, expiresAt) => {
      try {
        await model.create({ _id: digestOf(pepper, token), expiresAt });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) {
          return false;
        }
        throw error;
      }
    },
    extend: async (token, expiresAt) => {
      const _id = digestOf(pepper, token);
      await retryOnConflict(() => model.updateOne({ _id }, { $max: { expiresAt } }, { upsert: true }).exec());
    },
    isUsed: async (token, until) => {
      const found = await model.findById(digestOf(pepper, token)).lean();
      return found !== null && found.expiresAt >= until;
    },
  };
}
