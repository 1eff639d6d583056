import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import type { Scope } from '../../kernel/principal.ts';

/** An API key as stored: never the key itself. */
export interface ApiKeyDocument {
  /** `key_` and 20 characters; safe to show. */
  _id: string;
  /** Its environment is decided from the whole key when the key is stored. */
  accountId: AccountId;
  /** HMAC-SHA256 of the key under the pepper, hexadecimal. */
  hash: string;
  /** First characters of the key, to distinguish keys. */
  prefix: string;
  scopes: Scope[];
  label: string;
  createdAt: Date;
  lastUsedAt?: Date;
  /** The keys whose end also ends it; absent for none. */
  endsWith?: string[];
  /**
   * The console sessions that the key comes from: in which it, or a key that made it, was made or approved. Absent for none. A session
   * that the key opens approves nothing that these ask for.
   */
  madeIn?: string[];
  /** How many keys were made that end with it; absent for none. */
  dependents?: number;
  /** The end of a key that was replaced; it works until then. */
  endsAt?: Date;
  revokedAt?: Date;
}

const schema = new Schema<ApiKeyDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    hash: { type: String, required: true },
    prefix: { type: String, required: true },
    scopes: { type: [String], required: true },
    label: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    lastUsedAt: Date,
    endsWith: { type: [String], default: undefined },
    madeIn: { type: [String], default: undefined },
    dependents: Number,
    endsAt: Date,
    revokedAt: Date,
  },
  { collection: 'apiKeys', versionKey: false },
);
keepWhole(schema, 'few; until one is found by its digest, nobody knows whose it is');
// Serves: a call's authentication.
schema.index({ hash: 1 }, { unique: true });
// Serves: the list of an account's keys.
schema.index({ accountId: 1, createdAt: 1 });
// Serves: the end of the keys that end with another.
schema.index({ endsWith: 1 }, { sparse: true });

export function createApiKeyModel(connection: Connection): Model<ApiKeyDocument> {
  return connection.model<ApiKeyDocument>('ApiKey', schema);
}
