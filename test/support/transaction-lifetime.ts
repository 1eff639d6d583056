import mongoose from 'mongoose';

/** How long a store keeps a transaction whose client has vanished, by default. */
export const USUAL_LIFETIME_SECONDS = 60;

/**
 * Sets for how long the store keeps a transaction whose client has vanished, and the documents that it wrote from
 * everyone else. False where the store does not know of that setting.
 */
export async function setTransactionLifetime(uri: string, seconds: number): Promise<boolean> {
  const connection = await mongoose.createConnection(uri).asPromise();
  try {
    const admin = connection.getClient().db('admin');
    await admin.command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds });
    return true;
  } catch {
    return false;
  } finally {
    await connection.destroy();
  }
}
