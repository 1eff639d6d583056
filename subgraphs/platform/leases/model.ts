import { type Connection, type Model, Schema } from 'mongoose';

/**
 * One lease by its name. It stays in the collection between holders and is not to be removed by hand: `term` must never
 * fall, since what was written under a greater one rejects those below it.
 */
export interface LeaseDocument {
  /** The lease's name, for example `events.sequencer`. */
  _id: string;
  /** Whose it is: a random value of one acquisition. Absent when it was given back. */
  token?: string;
  /** How often the lease was acquired: each holder's is greater than that of all before it. */
  term: number;
  /** From here on anyone may take it. */
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

export function createLeaseModel(connection: Connection): Model<LeaseDocument> {
  return connection.model<LeaseDocument>('Lease', schema);
}
