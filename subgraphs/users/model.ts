import { type Connection, type Model, Schema } from 'mongoose';

/** State of a user's identity check (document 3, "User"). */
export type CipStatus = 'pending' | 'verified' | 'failed';

/** A partner's end user as stored. */
export interface UserDocument {
  _id: string;
  tenantId: string;
  /** The partner's own id of the user. */
  referenceId?: string;
  /** Sealed JSON of {@link UserProfile}; context `tenantId|profile|userId`. */
  profile: Buffer;
  cipStatus: CipStatus;
  blocked: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** Personal data of a user; at rest only sealed. */
export interface UserProfile {
  firstName: string;
  secondName?: string;
  lastName: string;
  secondLastName?: string;
  /** YYYY-MM-DD */
  dob?: string;
  /** ISO 3166-1 alpha-2 */
  country?: string;
}

const schema = new Schema<UserDocument>(
  {
    _id: { type: String, required: true },
    tenantId: { type: String, required: true },
    referenceId: String,
    profile: { type: Buffer, required: true },
    cipStatus: { type: String, required: true, enum: ['pending', 'verified', 'failed'] },
    blocked: { type: Boolean, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'users', versionKey: false },
);
// Serves: a user by the partner's id; one user for each.
schema.index(
  { tenantId: 1, referenceId: 1 },
  { unique: true, partialFilterExpression: { referenceId: { $exists: true } } },
);
// Serves: the list of a tenant's users, newest first.
schema.index({ tenantId: 1, createdAt: -1, _id: -1 });

export function createUserModel(connection: Connection): Model<UserDocument> {
  return connection.model<UserDocument>('User', schema);
}
