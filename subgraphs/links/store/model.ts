import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { StoredBytes } from '../../kernel/binary.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import { recordOf } from '../../kernel/objects.ts';
import { ACTIVITY_ACTORS, ACTIVITY_STATUSES, ACTIVITY_TYPES, type Activity } from '../activity.ts';
import { ATTACHED_FIELDS, type Attached } from '../attached.ts';
import { LINK_STATUSES, LINK_VISIBILITIES } from '../lifecycle.ts';
import { DATA_REQUEST_STATUSES, type DataRequest, LINK_FLOWS, type Link } from '../link.ts';
import { USER_DATA_FIELDS } from '../user-data.ts';

/** A link as stored. Each field that the partner attached is sealed JSON; context `accountId|<field>|linkId`. */
export interface LinkDocument
  extends Omit<Link, 'linkId' | 'userData' | 'attached'>,
    Partial<Record<keyof Attached, StoredBytes>> {
  /** The linkId of the API. */
  _id: string;
  /** Sealed JSON of the user's data; context `accountId|userData|linkId`. Absent while there is none. */
  userData?: StoredBytes;
}

/** An entry of a link's timeline as stored. */
export interface ActivityDocument extends Omit<Activity, 'activityId' | 'error' | 'occurredAt'> {
  /** The activityId of the API: of the link's id and the number, so that ids sort as the timeline does. */
  _id: string;
  /** Sealed; context `accountId|error|_id`. */
  error?: StoredBytes;
  /** When it happened. */
  createdAt: Date;
}

/** An identity check that a partner requested. */
export interface CipTicketDocument {
  _id: string;
  accountId: AccountId;
  linkId: string;
  userId: string;
  /** The page where the user completes it. */
  widgetUrl: string;
  /** Until a result comes. */
  isOpen: boolean;
  closedAt?: Date;
  createdAt: Date;
}

/** A data request as stored. */
export interface DataRequestDocument extends Omit<DataRequest, 'dataRequestId'> {
  _id: string;
  accountId: AccountId;
}

export function toDataRequest({ _id, accountId: _, ...rest }: DataRequestDocument): DataRequest {
  return { ...rest, dataRequestId: _id };
}

/** The picture of an identity document; one for a link. */
export interface LinkImageDocument {
  /** linkId */
  _id: string;
  accountId: AccountId;
  /** Such as `image/png`. */
  contentType: string;
  /** Sealed; context `accountId|idImage|linkId`. */
  bytes: StoredBytes;
}

const required = { type: String, required: true };
const number = { type: Number, required: true };
const flag = { type: Boolean, required: true };
const time = { type: Date, required: true };

const linkSchema = new Schema<LinkDocument>(
  {
    _id: required,
    accountId: required,
    referenceId: required,
    userId: required,
    flow: { type: String, required: true, enum: LINK_FLOWS },
    status: { type: String, required: true, enum: LINK_STATUSES },
    visibility: { type: String, required: true, enum: LINK_VISIBILITIES },
    version: number,
    url: required,
    hasImage: flag,
    operationId: String,
    userData: Buffer,
    ...recordOf(ATTACHED_FIELDS, () => Buffer),
    expiresAt: time,
    openedAt: Date,
    revokedAt: Date,
    createdAt: time,
    updatedAt: time,
  },
  { collection: 'links', versionKey: false },
);
setShardKey(
  linkSchema,
  ['accountId', '_id'],
  'its changes name account and id; a large account may be divided',
);
// Serve: the list of a tenant's links, whole, of a user by either id, of a state, and of a flow, in both directions. A
// state that is not filtered by is given as any of its values (listing.ts), so that filter and sort go together.
const state = { visibility: 1, status: 1 } as const;
for (const filter of [{}, { userId: 1 }, { referenceId: 1 }, state, { flow: 1, ...state }] as const) {
  linkSchema.index({ accountId: 1, ...filter, createdAt: -1, _id: -1 });
}
// Serves: a link by its URL.
linkSchema.index({ accountId: 1, url: 1, createdAt: -1, _id: -1 });
// Serves: the link of an operation. It has one at most without a unique index: only the transaction that inserts the
// operation, whose id is unique, attaches it to a link.
linkSchema.index(
  { accountId: 1, operationId: 1 },
  { partialFilterExpression: { operationId: { $exists: true } } },
);
// Serves: links that have expired.
linkSchema.index({ expiresAt: 1 }, { partialFilterExpression: { visibility: 'active' } });

const activitySchema = new Schema<ActivityDocument>(
  {
    _id: required,
    accountId: required,
    linkId: required,
    number,
    type: { type: String, required: true, enum: ACTIVITY_TYPES },
    actor: { type: String, required: true, enum: ACTIVITY_ACTORS },
    status: { type: String, required: true, enum: ACTIVITY_STATUSES },
    data: { type: Schema.Types.Mixed, required: true },
    error: Buffer,
    durationMs: Number,
    createdAt: time,
  },
  { collection: 'linkActivities', versionKey: false, minimize: false },
);
setShardKey(activitySchema, ['accountId', 'linkId'], 'read by link; a large account may be divided');
// Serves: the timeline of a link, in both directions.
activitySchema.index({ accountId: 1, linkId: 1, createdAt: 1, _id: 1 });

const ticketSchema = new Schema<CipTicketDocument>(
  {
    _id: required,
    accountId: required,
    linkId: required,
    userId: required,
    widgetUrl: required,
    isOpen: flag,
    closedAt: Date,
    createdAt: time,
  },
  { collection: 'cipTickets', versionKey: false },
);
setShardKey(ticketSchema, ['accountId', 'userId'], 'read by user');
// Serves: the reset of a sandbox.
ticketSchema.index({ accountId: 1, userId: 1, _id: 1 });
// Serves: the open tickets of a user, oldest first.
ticketSchema.index({ accountId: 1, userId: 1, createdAt: 1 }, { partialFilterExpression: { isOpen: true } });

const dataRequestSchema = new Schema<DataRequestDocument>(
  {
    _id: required,
    accountId: required,
    linkId: required,
    referenceId: required,
    fields: { type: [{ type: String, enum: USER_DATA_FIELDS }], required: true },
    status: { type: String, required: true, enum: DATA_REQUEST_STATUSES },
    fulfilledAt: Date,
    createdAt: time,
  },
  { collection: 'dataRequests', versionKey: false },
);
setShardKey(dataRequestSchema, ['accountId', '_id'], 'read by id');
// Serves: the reset of a sandbox.
dataRequestSchema.index({ accountId: 1, _id: 1 });

const imageSchema = new Schema<LinkImageDocument>(
  { _id: required, accountId: required, contentType: required, bytes: { type: Buffer, required: true } },
  { collection: 'linkImages', versionKey: false },
);
setShardKey(
  imageSchema,
  ['accountId', '_id'],
  'read by id; the largest documents, so an account may be divided',
);
// Serves: the reset of a sandbox.
imageSchema.index({ accountId: 1, _id: 1 });

export interface LinkModels {
  readonly links: Model<LinkDocument>;
  readonly activities: Model<ActivityDocument>;
  readonly tickets: Model<CipTicketDocument>;
  readonly dataRequests: Model<DataRequestDocument>;
  readonly images: Model<LinkImageDocument>;
}

export function createLinkModels(connection: Connection): LinkModels {
  return {
    links: connection.model<LinkDocument>('Link', linkSchema),
    activities: connection.model<ActivityDocument>('LinkActivity', activitySchema),
    tickets: connection.model<CipTicketDocument>('CipTicket', ticketSchema),
    dataRequests: connection.model<DataRequestDocument>('DataRequest', dataRequestSchema),
    images: connection.model<LinkImageDocument>('LinkImage', imageSchema),
  };
}
