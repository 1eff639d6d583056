import type { Connection } from 'mongoose';
import { createKeyring } from '../../subgraphs/kernel/crypto/keyring.ts';
import type { DeliveryDocument } from '../../subgraphs/webhooks/model.ts';
import { openDelivery } from '../../subgraphs/webhooks/sealed.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The records of an atomic call, in words such as `operation Sent`, sorted. */
export type PipelineRecords = ReadonlyMap<string, readonly string[]>;

/** The records of an accepted call, each once; its delivery's status is left out. */
export const RECORDS_OF_AN_ACCEPTED_CALL: readonly string[] = [
  'contact asked 1',
  'event operation.created 1',
  'event remittance.accepted 1',
  ...[2, 3, 4].map((version) => `event remittance.phase_changed ${version}`),
  'event remittance.succeeded 5',
  'history Sent',
  'method UBN',
  'operation Sent',
  'outcome Accepted',
  'remittance SUCCEEDED in REQUEST_MONEY, version 5',
  'user verified',
];

/** The records of a call without the statuses of deliveries: one may have been sent, and not be recorded yet. */
export function withoutDeliveryStatus(records: readonly string[] | undefined): string[] | undefined {
  return records?.map((one) => one.replace(/ (PENDING|DELIVERED)$/, ''));
}

/**
 * Reads behind the product's back what is stored of every atomic call, by correlation id; outcomes are opened with its
 * key. For users with one call each.
 */
export async function readPipelineRecords(
  database: Connection,
  encryptionKey: Buffer,
): Promise<PipelineRecords> {
  const box = createKeyring([encryptionKey]).box('webhooks');
  const all = (collection: string): Promise<Fields[]> => database.collection(collection).find().toArray();
  const remittances = await all('remittances');
  const callOfUser = new Map(remittances.map(({ userId, correlationId }) => [userId, String(correlationId)]));
  const records = new Map<string, string[]>();
  const collect = async (
    collection: string,
    callOf: (fields: Fields) => unknown,
    inWords: (fields: Fields) => string,
  ) => {
    for (const fields of await all(collection)) {
      const call = String(callOf(fields));
      records.set(call, [...(records.get(call) ?? []), inWords(fields)]);
    }
  };
  const ofUser = ({ userId }: Fields) => callOfUser.get(userId);
  const ofOperation = ({ operationId }: Fields) => operationId;
  const bodyOf = (fields: Fields) =>
    JSON.parse(openDelivery(box, fields as unknown as DeliveryDocument).body.toString()) as Fields;
  await Promise.all([
    collect(
      'remittances',
      ({ correlationId }) => correlationId,
      (one) => `remittance ${one.status} in ${one.phase}, version ${one.version}`,
    ),
    collect(
      'users',
      ({ _id }) => callOfUser.get(_id),
      ({ cipStatus }) => `user ${cipStatus}`,
    ),
    collect('contacts', ofUser, ({ requests }) => `contact asked ${requests}`),
    collect('paymentMethods', ofUser, ({ type }) => `method ${type}`),
    collect('operations', ofOperation, ({ status }) => `operation ${status}`),
    collect('operationHistory', ofOperation, ({ status }) => `history ${status}`),
    collect(
      'events',
      ({ entity, entityId }) => (entity === 'remittance' || entity === 'operation' ? entityId : undefined),
      ({ type, version }) => `event ${type} ${version}`,
    ),
    collect(
      'webhookDeliveries',
      (delivery) => bodyOf(delivery).correlationId,
      (delivery) => `outcome ${bodyOf(delivery).status} ${delivery.status}`,
    ),
  ]);
  return new Map([...records].map(([call, words]) => [call, words.toSorted()]));
}
