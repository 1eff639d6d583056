import type { Connection } from 'mongoose';
import type { Box } from '../../subgraphs/kernel/crypto/box.ts';
import { createKeyring } from '../../subgraphs/kernel/crypto/keyring.ts';
import type { DeliveryDocument } from '../../subgraphs/webhooks/model.ts';
import { openDelivery } from '../../subgraphs/webhooks/sealed.ts';

/** One stored document, in words such as `event request_money.created`, and its id. */
export type StoredRecord = readonly [what: string, id: string];

/** The ids under which a money request's records are known. */
export interface MoneyRequestIds {
  readonly referenceId: string;
  readonly userReferenceId: string;
  readonly operationId: string;
  readonly idempotencyKey: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The records of one money request. */
export type ReadRecords = (ids: MoneyRequestIds) => Promise<StoredRecord[]>;

/**
 * Reads behind the product's back what is stored of a money request, sorted; bodies of webhooks are opened with its key. Whole
 * collections are read and looked through here: no index decides what is seen, so the database should be small.
 */
export function createRecordReader(database: Connection, encryptionKey: Buffer): ReadRecords {
  const box = createKeyring([encryptionKey]).box('webhooks');
  return async (ids) => {
    const { referenceId, userReferenceId, operationId, idempotencyKey } = ids;
    const list = async (
      collection: string,
      belongs: (fields: Fields) => boolean,
      name: (fields: Fields) => string,
    ): Promise<StoredRecord[]> =>
      (await database.collection(collection).find().toArray())
        .filter(belongs)
        .map((fields) => [name(fields), String(fields._id)]);
    const records = await Promise.all([
      list(
        'moneyRequests',
        by({ referenceId }),
        (moneyRequest) => `money request ${moneyRequest.status}, version ${moneyRequest.version}`,
      ),
      list('users', by({ referenceId: userReferenceId }), () => 'user'),
      list('idempotencyKeys', isOf(idempotencyKey), () => 'idempotency key'),
      list('events', by({ entityId: referenceId }), (event) => `event ${event.type}`),
      list('events', by({ entityId: operationId }), (event) => `event ${event.type}`),
      list('operations', by({ operationId }), () => 'operation'),
      list('links', by({ operationId }), () => 'link of operation'),
      list('linkActivities', mentionsOperation(operationId), ({ type }) => `activity ${type}`),
      list('operationHistory', by({ operationId }), () => 'history of operation'),
      list('webhookDeliveries', mentions(box, referenceId), ({ event }) => `delivery ${event}`),
    ]);
    return records.flat().toSorted(([one], [other]) => (one < other ? -1 : 1));
  };
}

function by(wanted: Fields) {
  return (fields: Fields) => Object.entries(wanted).every(([name, value]) => fields[name] === value);
}

function isOf(idempotencyKey: string) {
  return ({ _id }: Fields) => String(_id).endsWith(`|${idempotencyKey}`);
}

function mentionsOperation(operationId: string) {
  return ({ data }: Fields) => (data as Fields).operationId === operationId;
}

function mentions(box: Box, referenceId: string) {
  return (fields: Fields) =>
    openDelivery(box, fields as unknown as DeliveryDocument).body.includes(`"referenceId":"${referenceId}"`);
}
