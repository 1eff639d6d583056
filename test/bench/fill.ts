import { randomUUID } from 'node:crypto';
import type { Connection, mongo } from 'mongoose';
import { newReference } from '../support/money-requests.ts';

const BATCH = 2_000;
/** Money requests of one requester, about. */
const REQUESTS_OF_A_REQUESTER = 20;
const MINUTE_MS = 60_000;

/**
 * Fills the collection of money requests up to `total` with copies of one of them, each with keys, a requester and times of its
 * own, as years of use would leave them.
 */
export async function fillMoneyRequests(connection: Connection, total: number): Promise<void> {
  const moneyRequests = connection.collection('moneyRequests');
  const sample = await moneyRequests.findOne({ accountId: 'acme/sandbox' });
  if (sample === null) {
    throw new Error('There is no money request to copy');
  }
  let stored = await moneyRequests.countDocuments();
  while (stored < total) {
    const batch = Array.from({ length: Math.min(BATCH, total - stored) }, (_, index) =>
      copyOf(sample, stored + index, total),
    );
    await moneyRequests.insertMany(batch, { ordered: false });
    stored += batch.length;
  }
}

function copyOf(sample: mongo.Document, number: number, total: number): mongo.Document {
  const createdAt = new Date(Date.now() - (total - number) * MINUTE_MS);
  return {
    ...sample,
    _id: `req_${randomUUID().slice(0, 20)}`,
    referenceId: newReference(),
    userReferenceId: `u-${number % Math.ceil(total / REQUESTS_OF_A_REQUESTER)}`,
    status: 'completed',
    createdAt,
    updatedAt: createdAt,
  };
}
