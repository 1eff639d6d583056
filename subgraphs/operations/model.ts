import { type Connection, type Model, Schema } from 'mongoose';
import { OPERATION_STATUSES, type OperationStatus } from './lifecycle.ts';

/** An operation as stored. Amounts are decimal strings. */
export interface OperationDocument {
  _id: string;
  tenantId: string;
  /** The id on every surface; unique in the tenant only. */
  operationId: string;
  type: 'request';
  /** Short code for support, unique in the tenant. */
  code: string;
  platId: string;
  status: OperationStatus;
  statusDetails: string;
  /** Counts the moves; 1 is the creation. */
  version: number;
  userId: string;
  recipientAmount: string;
  recipientCurrency: string;
  /** Document 2: the partner's id of the requester. */
  recipientReferenceId?: string;
  /** Document 2: the ask that this operation fulfils. */
  requestReferenceId?: string;
  createdAt: Date;
  updatedAt: Date;
}

/** One move of an operation; written with it, never changed. */
export interface OperationHistoryDocument {
  tenantId: string;
  operationId: string;
  version: number;
  previousStatus: OperationStatus | null;
  status: OperationStatus;
  statusDetails: string;
  at: Date;
}

const required = { type: String, required: true };

const operationSchema = new Schema<OperationDocument>(
  {
    _id: required,
    tenantId: required,
    operationId: required,
    type: { type: String, required: true, enum: ['request'] },
    code: required,
    platId: required,
    status: { type: String, required: true, enum: OPERATION_STATUSES },
    statusDetails: required,
    version: { type: Number, required: true },
    userId: required,
    recipientAmount: required,
    recipientCurrency: required,
    recipientReferenceId: String,
    requestReferenceId: String,
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'operations', versionKey: false },
);
// Serves: an operation by its id; one operation for each id of a tenant.
operationSchema.index({ tenantId: 1, operationId: 1 }, { unique: true });
// Serves: uniqueness of support codes, and finding an operation by one.
operationSchema.index({ tenantId: 1, code: 1 }, { unique: true });
// Serves: the list of a tenant's operations, newest first.
operationSchema.index({ tenantId: 1, createdAt: -1, _id: -1 });
// Serves: the list of a user's operations, newest first.
operationSchema.index({ tenantId: 1, userId: 1, createdAt: -1, _id: -1 });

const historySchema = new Schema<OperationHistoryDocument>(
  {
    tenantId: required,
    operationId: required,
    version: { type: Number, required: true },
    previousStatus: { type: String, default: null },
    status: required,
    statusDetails: required,
    at: { type: Date, required: true },
  },
  { collection: 'operationHistory', versionKey: false },
);
// Serves: an operation's history in order; one entry for each version.
historySchema.index({ tenantId: 1, operationId: 1, version: 1 }, { unique: true });

export interface OperationModels {
  readonly operations: Model<OperationDocument>;
  readonly history: Model<OperationHistoryDocument>;
}

export function createOperationModels(connection: Connection): OperationModels {
  return {
    operations: connection.model<OperationDocument>('Operation', operationSchema),
    history: connection.model<OperationHistoryDocument>('OperationHistory', historySchema),
  };
}
