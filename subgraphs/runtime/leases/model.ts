import { type Connection, type Model, Schema } from 'mongoose';
import { keepWhole } from '../../kernel/database/shard-keys.ts';

/**
 * One lease by its name. It stays in the collection between holders. Never remove it by hand: `term` must never fall, because
 * records written under a greater term reject those under a lower one.
 */
export interface LeaseDocument {
  /** The lease's name, for example `migrations`. */
  _id: string;
  /** The holder: a random value of one acquisition. Absent after it was given back. */
  token?: string;
  /** How often the lease was acquired: each holder's is greater than that of all before it. */
  term: number;
  /** From this time on anyone may take it. */
  until: Date;
}

// Every query is by name: no index beside that of _id.
const schema = new Schema<LeaseDocument>(
  {
    _id: { type: String, required: true },
    token: String,
    term: { type: Number, required: true },
    until: { type: Date, required: true },
  },
  { collection: 'leases', versionKey: false },
);
keepWhole(schema, 'a few documents');

export function createLeaseModel(connection: Connection): Model<LeaseDocument> {
  return connection.model<LeaseDocument>('Lease', schema);
}
