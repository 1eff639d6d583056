import { type Connection, type Model, Schema } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { setShardKey } from '../../kernel/database/shard-keys.ts';
import type { Principal } from '../../kernel/principal.ts';

/** How a request ended: as its status and its error code say. */
export const REQUEST_OUTCOMES = ['SUCCESS', 'CLIENT_ERROR', 'SERVER_ERROR'] as const;
export type RequestOutcome = (typeof REQUEST_OUTCOMES)[number];

/** The APIs that a request may call: those of documents 1, 2 and 3, and the graph. */
const API_SURFACES = ['REMITTANCE', 'REQUEST_MONEY', 'PARTNER', 'GRAPHQL'] as const;
export type ApiSurface = (typeof API_SURFACES)[number];

/** A request of a partner as stored. It has no query, no header, no body, no name, phone or email. */
export interface RequestDocument {
  _id: string;
  accountId: AccountId;
  /** When it began. */
  createdAt: Date;
  /** Its `x-request-id`. */
  requestId: string;
  surface: ApiSurface;
  /** Absent for an operation over a WebSocket. */
  method?: string;
  /** The path of its route, such as `/v1/request-money/:referenceId`: without values. */
  path?: string;
  /** The name of its GraphQL operation; of a REST call that of its document. */
  operation?: string;
  isMutation: boolean;
  /** Whether the entry is about one record whose contact data somebody has read in the console; absent for false. */
  isReveal?: boolean;
  outcome: RequestOutcome;
  /** Absent for an operation over a WebSocket. */
  status?: number;
  /** Of the first error. */
  code?: string;
  ms: number;
  keyId: string;
  /** The console session that called, and its label; absent for programs. */
  sessionId?: string;
  actor?: string;
  /** The request id, and the ids of the records that it names, makes or changes: it is found by them. */
  keys: string[];
}

/** How long a request is kept, seconds: 7 days. */
const REQUEST_KEPT_SECONDS = 7 * 86_400;

const required = { type: String, required: true };

const schema = new Schema<RequestDocument>(
  {
    _id: required,
    accountId: required,
    createdAt: { type: Date, required: true },
    requestId: required,
    surface: { type: String, required: true, enum: API_SURFACES },
    method: String,
    path: String,
    operation: String,
    isMutation: { type: Boolean, required: true },
    isReveal: Boolean,
    outcome: { type: String, required: true, enum: REQUEST_OUTCOMES },
    status: Number,
    code: String,
    ms: { type: Number, required: true },
    keyId: required,
    sessionId: String,
    actor: String,
    keys: { type: [String], required: true },
  },
  { collection: 'requestLog', versionKey: false },
);
setShardKey(schema, ['accountId', '_id'], 'listed by account; a large account may be divided');
// Serves: the list of an account's requests, newest first. Lists name their outcomes, if need be all of them.
schema.index({ accountId: 1, outcome: 1, createdAt: -1, _id: -1 });
// Serves: requests by their id, and by the records that they are about.
schema.index({ accountId: 1, keys: 1, createdAt: -1, _id: -1 });
// Serves: removal.
schema.index({ createdAt: 1 }, { expireAfterSeconds: REQUEST_KEPT_SECONDS });

export type RequestLogModel = Model<RequestDocument>;

export function createRequestLogModel(connection: Connection): RequestLogModel {
  return connection.model<RequestDocument>('RequestLogEntry', schema);
}

/** The caller, as an entry has it. */
export function callerOf({
  accountId,
  keyId,
  consoleSession,
}: Principal): Pick<RequestDocument, 'accountId' | 'keyId' | 'sessionId' | 'actor'> {
  const session = consoleSession && { sessionId: consoleSession.sessionId, actor: consoleSession.label };
  return { accountId, keyId, ...session };
}
