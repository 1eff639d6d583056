import { erasedDetails } from '../graph/erasure.ts';
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
export interface ErasedRecords {
  readonly tenantId: string;
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

type Stored = Pick<DeliveryDocument, '_id' | 'tenantId' | 'body'>;

export function createDeliveryErasure(deps: DeliveryErasureDeps): DeliveryErasure {
  return {
    eraseAbout: async (records) => {
      const { tenantId, entity, ids } = records;
      const named = await deps.events.eraseTexts(tenantId, entity, ids, erasedDetails);
      await eraseDeliveries(deps, tenantId, await findDeliveries(deps, records, named));
    },
  };
}

async function findDeliveries(
  { models: { deliveries }, box }: DeliveryErasureDeps,
  { tenantId, ids, about = [], times = [] }: ErasedRecords,
  named: readonly string[],
): Promise<Stored[]> {
  const fields = { tenantId: 1, body: 1 } as const;
  const [byId, byName, byTime] = await Promise.all([
    named.length === 0 ? [] : deliveries.find({ _id: { $in: named }, tenantId }, fields).lean<Stored[]>(),
    about.length === 0 ? [] : deliveries.find({ tenantId, about: { $in: about } }, fields).lean<Stored[]>(),
    times.length === 0
      ? []
      : deliveries
          .find({ tenantId, status: { $in: DELIVERY_STATUSES }, createdAt: { $in: times } }, fields)
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
  tenantId: string,
  found: readonly Stored[],
): Promise<void> {
  if (found.length === 0) {
    return;
  }
  const changes = found.flatMap((delivery) => {
    const before = openBody(box, delivery);
    const after = eraseBody(before);
    const body = box.seal(after, sealedContext(delivery)('body'));
    return after === before ? [] : [{ filter: { _id: delivery._id, tenantId }, update: { $set: { body } } }];
  });
  await changeEach(deliveries, changes);
  const tried = await attempts
    .find({ tenantId, deliveryId: { $in: found.map(({ _id }) => _id) } })
    .select({ deliveryId: 1 })
    .lean();
  await changeEach(
    attempts,
    tried.map(({ _id, deliveryId }) => ({
      filter: { _id, tenantId, deliveryId },
      update: { $set: { answer: box.seal('', sealedContext({ tenantId, _id })('answer')) } },
    })),
  );
}

function openBody(box: Box, delivery: Stored): string {
  return box.open(toBuffer(delivery.body), sealedContext(delivery)('body')).toString();
}
