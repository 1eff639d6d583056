import { erasedDetails } from '../graph/erasure.ts';
import type { AccountId } from '../kernel/account.ts';
import { toBuffer } from '../kernel/binary.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { changeEach } from '../kernel/database/change-each.ts';
import { parseJson } from '../kernel/json/parse-json.ts';
import { isRecord } from '../kernel/objects.ts';
import type { EventErasure } from '../runtime/events/erase-texts.ts';
import type { EventEntity } from '../runtime/events/model.ts';
import { eraseBody } from './erase-body.ts';
import { DELIVERY_STATUSES, type DeliveryDocument, type WebhookModels } from './model.ts';
import { sealedContext } from './sealed.ts';

/** Records of an erased user, of one kind. */
interface ErasedRecords {
  readonly accountId: AccountId;
  readonly entity: EventEntity;
  readonly ids: readonly string[];
  /** Their names in webhooks about failed calls: see {@link NewDelivery.about}. */
  readonly about?: readonly string[];
  /** Moments at which webhooks about the records were stored. They find webhooks that are older than the event log. */
  readonly times?: readonly Date[];
}

/** Erases the webhooks about records of a user, whether they were delivered or not. */
export interface DeliveryErasure {
  /** Empties the texts of bodies that name people, and the answers of receivers. It may be repeated. */
  eraseAbout(records: ErasedRecords): Promise<void>;
}

interface DeliveryErasureDeps {
  readonly models: Pick<WebhookModels, 'deliveries' | 'attempts'>;
  readonly events: EventErasure;
  /** Of the purpose `webhooks`. */
  readonly box: Box;
}

type Stored = Pick<DeliveryDocument, '_id' | 'accountId' | 'body'>;

export function createDeliveryErasure(deps: DeliveryErasureDeps): DeliveryErasure {
  return {
    eraseAbout: async (records) => {
      const { accountId, entity, ids } = records;
      const named = await deps.events.eraseTexts(accountId, entity, ids, erasedDetails);
      await eraseDeliveries(deps, accountId, await findDeliveries(deps, records, named));
    },
  };
}

async function findDeliveries(
  { models: { deliveries }, box }: DeliveryErasureDeps,
  { accountId, ids, about = [], times = [] }: ErasedRecords,
  named: readonly string[],
): Promise<Stored[]> {
  const fields = { accountId: 1, body: 1 } as const;
  const [byId, byName, byTime] = await Promise.all([
    named.length === 0 ? [] : deliveries.find({ _id: { $in: named }, accountId }, fields).lean<Stored[]>(),
    about.length === 0 ? [] : deliveries.find({ accountId, about: { $in: about } }, fields).lean<Stored[]>(),
    times.length === 0
      ? []
      : deliveries
          .find({ accountId, status: { $in: DELIVERY_STATUSES }, createdAt: { $in: times } }, fields)
          .lean<Stored[]>(),
  ]);
  const wanted = new Set(ids);
  const found = [
    ...byId,
    ...byName,
    ...byTime.filter((delivery) => isAbout(wanted, openBody(box, delivery))),
  ];
  return [...new Map(found.map((delivery) => [delivery._id, delivery])).values()];
}

/** Whether a body is about one of these records: other records may have a webhook of the same moment. */
function isAbout(ids: ReadonlySet<string>, body: string): boolean {
  const value = parseJson(body);
  if (!isRecord(value)) {
    return false;
  }
  const { referenceId } = isRecord(value.data) ? value.data : {};
  return [referenceId, value.correlationId].some((id) => typeof id === 'string' && ids.has(id));
}

async function eraseDeliveries(
  { models: { deliveries, attempts }, box }: DeliveryErasureDeps,
  accountId: AccountId,
  found: readonly Stored[],
): Promise<void> {
  if (found.length === 0) {
    return;
  }
  await changeEach(
    deliveries,
    found.map((delivery) => {
      const body = box.seal(eraseBody(openBody(box, delivery)), sealedContext(delivery)('body'));
      // From now on a running attempt is recorded without its answer. Those recorded before are found below.
      return { filter: { _id: delivery._id, accountId }, update: { $set: { body, erased: true } } };
    }),
  );
  const tried = await attempts
    .find({ accountId, deliveryId: { $in: found.map(({ _id }) => _id) } })
    .select({ deliveryId: 1 })
    .lean();
  await changeEach(
    attempts,
    tried.map(({ _id, deliveryId }) => ({
      filter: { _id, accountId, deliveryId },
      update: { $set: { answer: box.seal('', sealedContext({ accountId, _id })('answer')) } },
    })),
  );
}

function openBody(box: Box, delivery: Stored): string {
  return box.open(toBuffer(delivery.body), sealedContext(delivery)('body')).toString();
}
