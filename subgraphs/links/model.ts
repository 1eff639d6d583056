import { type Connection, type Model, Schema } from 'mongoose';

/** What a link lets its user do (decisions, section 4). */
export const LINK_FLOWS = ['cip', 'transfer', 'request_money'] as const;
export type LinkFlow = (typeof LINK_FLOWS)[number];

/** State of a link (document 3, "Link"). */
export type LinkStatus = 'created' | 'opened' | 'revoked';

/** A one-time widget link of a user as stored. */
export interface LinkDocument {
  _id: string;
  tenantId: string;
  /** The partner's own id of the user. */
  referenceId: string;
  userId: string;
  flow: LinkFlow;
  status: LinkStatus;
  /** Counts the moves; 1 is the creation. */
  version: number;
  url: string;
  expiresAt: Date;
  createdAt: Date;
  updatedAt: Date;
}

const required = { type: String, required: true };

const schema = new Schema<LinkDocument>(
  {
    _id: required,
    tenantId: required,
    referenceId: required,
    userId: required,
    flow: { type: String, required: true, enum: LINK_FLOWS },
    status: { type: String, required: true, enum: ['created', 'opened', 'revoked'] },
    version: { type: Number, required: true },
    url: required,
    expiresAt: { type: Date, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'links', versionKey: false },
);
// Serves: the list of a tenant's links, newest first.
schema.index({ tenantId: 1, createdAt: -1, _id: -1 });
// Serves: the list of a user's links, newest first.
schema.index({ tenantId: 1, userId: 1, createdAt: -1, _id: -1 });

export function createLinkModel(connection: Connection): Model<LinkDocument> {
  return connection.model<LinkDocument>('Link', schema);
}
