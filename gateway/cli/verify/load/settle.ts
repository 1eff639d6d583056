import { setTimeout as delay } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import { Difference } from '../check.ts';

const PATIENCE_MS = 180_000;
const POLL_MS = 200;

/** Work of the product that must have ended before the result of a load can be judged. */
const UNFINISHED: readonly {
  readonly collection: string;
  readonly filter: mongo.Document;
  readonly name: string;
}[] = [
  { collection: 'events', filter: { pending: true }, name: 'events without a number' },
  { collection: 'remittances', filter: { status: 'IN_PROGRESS' }, name: 'remittances in progress' },
  { collection: 'webhookDeliveries', filter: { status: 'PENDING' }, name: 'webhooks to send' },
];

/**
 * Waits until the product has finished the work that a load has left.
 * @throws Difference that counts what is left after three minutes
 */
export async function settle(db: mongo.Db): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const left = await Promise.all(
      UNFINISHED.map(async ({ collection, filter, name }) => ({
        name,
        count: await db.collection(collection).countDocuments(filter),
      })),
    );
    const open = left.filter(({ count }) => count > 0);
    if (open.length === 0) {
      return;
    }
    if (performance.now() > deadline) {
      const words = open.map(({ name, count }) => `${count} ${name}`).join(', ');
      throw new Difference(`After ${PATIENCE_MS / 1000} s there are ${words}`);
    }
    await delay(POLL_MS);
  }
}
