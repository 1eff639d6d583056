import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { CONSOLE_ACCESSES, type ConsoleAccess } from '../../kernel/principal.ts';

/** A console session as stored, from its link on: never the code of the link nor the cookie. */
export interface ConsoleSessionDocument {
  /** `cse_` and 20 characters; safe to show. */
  _id: string;
  accountId: AccountId;
  /** The API key that made the link, and ends the session with itself; absent: an operator's command made it. */
  keyId?: string;
  /**
   * HMAC-SHA256 under the pepper, hexadecimal: of the code of the link, and of the cookie once the code is exchanged. So a
   * code is exchanged once.
   */
  hash: string;
  /** The OpenID Connect provider that the person signed in by; absent for a link. */
  issuer?: string;
  /** Identifies provider, client and roles of that sign-in: the session ends when its account has others. */
  signInVersion?: string;
  /** Digests of the person's `sub` and `sid` at the provider, and of both, by which it ends the session; absent for a link. */
  signInKeys?: string[];
  access: ConsoleAccess;
  label: string;
  createdAt: Date;
  /** When the code was exchanged; absent until then. */
  openedAt?: Date;
  /** To the minute. */
  lastUsedAt?: Date;
  /** The end of the link, and of the session once the code is exchanged. */
  expiresAt: Date;
  revokedAt?: Date;
}

const schema = new Schema<ConsoleSessionDocument>(
  {
    _id: { type: String, required: true },
    accountId: { type: String, required: true },
    keyId: String,
    hash: { type: String, required: true },
    issuer: String,
    signInVersion: String,
    signInKeys: { type: [String], default: undefined },
    access: { type: String, enum: CONSOLE_ACCESSES, required: true },
    label: { type: String, default: '' },
    createdAt: { type: Date, required: true },
    openedAt: Date,
    lastUsedAt: Date,
    expiresAt: { type: Date, required: true },
    revokedAt: Date,
  },
  { collection: 'consoleSessions', versionKey: false },
);
keepWhole(schema, 'few, for hours; until one is found by its digest, nobody knows whose it is');
// Serves: the exchange of a code, and a call's authentication.
schema.index({ hash: 1 }, { unique: true });
// Serves: the list of a tenant's sessions.
schema.index({ accountId: 1, createdAt: 1 });
// Serves: the end of sessions by their provider.
schema.index({ signInKeys: 1 }, { sparse: true });
// Serves: removal of ended links and sessions. Until then their times are checked.
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function createConsoleSessionModel(connection: Connection): Model<ConsoleSessionDocument> {
  return connection.model<ConsoleSessionDocument>('ConsoleSession', schema);
}
