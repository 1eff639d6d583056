import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import type { AccountId } from '../../../subgraphs/kernel/account.ts';
import type { EventDocument } from '../../../subgraphs/runtime/events/model.ts';
import type { AttemptDocument, DeliveryDocument } from '../../../subgraphs/webhooks/model.ts';

/** The records of one money request's journey. */
export interface Ledger {
  /** In the order of their versions. */
  readonly events: readonly EventDocument[];
  readonly deliveries: readonly { delivery: DeliveryDocument; attempts: readonly AttemptDocument[] }[];
}

interface LedgerQuery {
  accountId: AccountId;
  referenceId: string;
  deliveryIds: readonly string[];
}

const POLL_MS = 50;

/**
 * Reads the money request's events, and its deliveries with their attempts, straight from the collections. A receiver has
 * the answer's outcome before the sender has recorded it, so this waits until every delivery is recorded as delivered.
 * @throws the signal's reason
 */
export async function readLedger(
  connection: Connection,
  query: LedgerQuery,
  signal: AbortSignal,
): Promise<Ledger> {
  while (true) {
    const ledger = await read(connection, query);
    if (ledger.deliveries.every(({ delivery }) => delivery.status === 'DELIVERED')) {
      return ledger;
    }
    await sleep(POLL_MS, undefined, { signal });
  }
}

async function read(
  connection: Connection,
  { accountId, referenceId, deliveryIds }: LedgerQuery,
): Promise<Ledger> {
  const ids = [...deliveryIds];
  const [events, deliveries, attempts] = await Promise.all([
    connection
      .collection<EventDocument>('events')
      .find({ accountId, entity: 'requestMoney', entityId: referenceId })
      .sort({ version: 1 })
      .toArray(),
    connection
      .collection<DeliveryDocument>('webhookDeliveries')
      .find({ accountId, _id: { $in: ids } })
      .sort({ createdAt: 1 })
      .toArray(),
    connection
      .collection<AttemptDocument>('webhookAttempts')
      .find({ accountId, deliveryId: { $in: ids } })
      .sort({ number: 1 })
      .toArray(),
  ]);
  return {
    events,
    deliveries: deliveries.map((delivery) => ({
      delivery,
      attempts: attempts.filter(({ deliveryId }) => deliveryId === delivery._id),
    })),
  };
}
