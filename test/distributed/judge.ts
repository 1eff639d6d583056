import type { Connection } from 'mongoose';
import { isOf } from '../support/killed-calls.ts';
import {
  RECORDS_OF_AN_ACCEPTED_CALL,
  readPipelineRecords,
  withoutDeliveryStatus,
} from '../support/pipeline-records.ts';
import type { ProviderServer } from '../support/providers.ts';
import { headerOf, type Receiver } from '../support/receiver.ts';
import type { Load } from './load.ts';

/** The observations of partners and providers, and the content of the database. */
interface Seen {
  readonly load: Pick<Load, 'created' | 'calls'>;
  readonly receiver: Pick<Receiver, 'webhooks'>;
  readonly providers: Pick<ProviderServer, 'done'>;
  /** References of the money requests whose first status came live, in the order in which they came. */
  readonly live: readonly string[];
  readonly connection: Connection;
  readonly encryptionKey: string;
}

const SERVICES = ['identity', 'ubn', 'funding'];

/** The faults, one line each: everything that was accepted has happened, once, and was reported. */
export async function judge(seen: Seen): Promise<string[]> {
  return [...(await judgeMoneyRequests(seen)), ...(await judgeCalls(seen))];
}

/** Whether everything that must be reported, by webhook or live, has come. */
export function isAllNotified({ load, receiver, live }: Pick<Seen, 'load' | 'receiver' | 'live'>): boolean {
  const reported = new Set(receiver.webhooks.flatMap(({ text }) => referencesIn(text)));
  const notifiedLive = new Set(live);
  return (
    [...load.created.keys()].every((id) => reported.has(id) && notifiedLive.has(id)) &&
    load.calls.every(({ correlationId }) => reported.has(correlationId))
  );
}

/** Whether no step and no delivery is waiting to be done. */
export async function isAllDone(connection: Connection): Promise<boolean> {
  const waiting = await Promise.all([
    connection.collection('webhookDeliveries').countDocuments({ status: 'PENDING' }),
    connection.collection('remittances').countDocuments({ status: 'IN_PROGRESS' }),
  ]);
  return waiting.every((count) => count === 0);
}

function referencesIn(text: string): string[] {
  return [...text.matchAll(/"(?:referenceId|correlationId)":"([^"]+)"/g)].map(([, id = '']) => id);
}

/** Delivery ids by the reference of the records that they report. */
function deliveriesByReference({ webhooks }: Seen['receiver']): ReadonlyMap<string, ReadonlySet<string>> {
  const deliveries = new Map<string, Set<string>>();
  for (const webhook of webhooks) {
    for (const reference of referencesIn(webhook.text)) {
      const ids = deliveries.get(reference) ?? new Set();
      deliveries.set(reference, ids.add(headerOf(webhook, 'X-Webhook-Delivery-Id') ?? 'none'));
    }
  }
  return deliveries;
}

async function judgeMoneyRequests({ load, receiver, live, connection }: Seen): Promise<string[]> {
  const problems: string[] = [];
  const own = { accountId: 'acme/sandbox', referenceId: { $in: [...load.created.keys()] } };
  const stored = await connection.collection('moneyRequests').find(own).toArray();
  const deliveries = deliveriesByReference(receiver);
  const count = (of: readonly unknown[], one: unknown) => of.filter((other) => other === one).length;
  const references = stored.map(({ referenceId }) => String(referenceId));
  for (const reference of load.created.keys()) {
    const seen = {
      stored: count(references, reference),
      deliveries: deliveries.get(reference)?.size ?? 0,
      live: count(live, reference),
    };
    if (Object.values(seen).some((times) => times !== 1)) {
      problems.push(`Money request ${reference}, each of which should be 1: ${JSON.stringify(seen)}`);
    }
  }
  return problems;
}

async function judgeCalls({ load, receiver, providers, connection, encryptionKey }: Seen): Promise<string[]> {
  const records = await readPipelineRecords(connection, Buffer.from(encryptionKey, 'hex'));
  const deliveries = deliveriesByReference(receiver);
  const expected = { outcomes: 1, done: SERVICES, records: RECORDS_OF_AN_ACCEPTED_CALL };
  return load.calls.flatMap((call) => {
    const found = {
      outcomes: deliveries.get(call.correlationId)?.size ?? 0,
      done: providers.done.filter((one) => isOf(one, call)).map(({ service }) => service),
      records: withoutDeliveryStatus(records.get(call.correlationId)),
    };
    return JSON.stringify(found) === JSON.stringify(expected)
      ? []
      : [`Atomic call ${call.correlationId}: ${JSON.stringify(found)}`];
  });
}
