import type { Connection } from 'mongoose';

/** Rejects when the store does not answer: a check of readiness. */
export async function pingStore(connection: Connection): Promise<void> {
  await connection.db?.admin().ping();
}
