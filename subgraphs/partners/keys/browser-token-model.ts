import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import type { Scope } from '../../kernel/principal.ts';

/** A browser token as stored: never the token itself. */
export interface BrowserTokenDocument {
  /** `btk_` and 20 characters; safe to show. */
  _id: string;
  accountId: AccountId;
  /** The API key that made it. The token ends with that key. */
  keyId: string;
  /** HMAC-SHA256 of the token under the pepper, hexadecimal. */
  hash: string;
  scopes: Scope[];
  createdAt: Date;
  expiresAt: Date;
  revokedAt?: Date;
}

const schema = new Schema<BrowserTokenDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    keyId: { type: String, required: true },
    hash: { type: String, required: true },
    scopes: { type: [String], required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    revokedAt: Date,
  },
  { collection: 'browserTokens', versionKey: false },
);
keepWhole(schema, 'live for minutes; until one is found by its digest, nobody knows whose it is');
// Serves: a call's authentication.
schema.index({ hash: 1 }, { unique: true });
// Serves: removal of expired tokens. Until then the time of a token is checked.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createBrowserTokenModel(connection: Connection): Model<BrowserTokenDocument> {
  return connection.model<BrowserTokenDocument>('BrowserToken', schema);
}
