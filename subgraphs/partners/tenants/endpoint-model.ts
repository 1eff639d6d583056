import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { keepWhole } from '../../kernel/database/shard-keys.ts';
import { SIGNATURE_SCHEMES, type SignatureScheme } from './signature-scheme.ts';

/** A receiver of a partner's webhooks besides the documented one, as stored. Contexts of what is sealed: `accountId|field|_id`. */
export interface WebhookEndpointDocument {
  /** `we_` and 20 characters. */
  _id: string;
  accountId: AccountId;
  /** 0 to 9, one endpoint each: its place among endpoints of the same moment. */
  slot: number;
  /** Keyed digest of tenant and URL, as deliveries have it: the key of the endpoint's state. */
  endpoint: string;
  /** Sealed. */
  url: StoredBytes;
  /** Sealed. */
  secret: StoredBytes;
  /** Sealed JSON: replaced secrets that still sign, each with its end. */
  formerSecrets?: StoredBytes;
  /** Absent: DOCUMENTED. */
  signatureScheme?: SignatureScheme;
  /** Sealed JSON: the partner's own headers, with their values; absent: none. */
  headers?: StoredBytes;
  /** Names of events; absent: all. */
  events?: string[];
  /** The version of the event catalogue that it is pinned to. */
  eventVersion: number;
  /** The partner's note; absent: none. */
  description?: string;
  createdAt: Date;
}

const required = { type: String, required: true };

const endpointSchema = new Schema<WebhookEndpointDocument>(
  {
    _id: required,
    accountId: required,
    slot: { type: Number, required: true },
    endpoint: required,
    url: { type: Buffer, required: true },
    secret: { type: Buffer, required: true },
    formerSecrets: Buffer,
    signatureScheme: { type: String, enum: SIGNATURE_SCHEMES },
    headers: Buffer,
    events: { type: [String], default: undefined },
    eventVersion: { type: Number, required: true },
    description: String,
    createdAt: { type: Date, required: true },
  },
  { collection: 'webhookEndpoints', versionKey: false },
);
keepWhole(endpointSchema, 'a few for each account');
// Serves: the endpoints of a tenant; no two of them have the same URL.
endpointSchema.index({ accountId: 1, endpoint: 1 }, { unique: true });

export function createWebhookEndpointModel(connection: Connection): Model<WebhookEndpointDocument> {
  return connection.model<WebhookEndpointDocument>('WebhookEndpoint', endpointSchema);
}
