import type { Connection } from 'mongoose';
import { createKeyring } from '../../subgraphs/platform/crypto/keyring.ts';
import type { DeliveryDocument } from '../../subgraphs/platform/webhooks/model.ts';
import { openDelivery } from '../../subgraphs/platform/webhooks/sealed.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is stored of an atomic call, in words such as `operation Sent`, sorted. */
export type PipelineRecords = ReadonlyMap<string, readonly string[]>;

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
