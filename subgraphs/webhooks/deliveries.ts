import type { QueryFilter } from 'mongoose';
import type { Connection } from '../graph/connection.ts';
import { type Page, paginate } from '../graph/paginate.ts';
import type { TimelineDelivery, TimelineRecord } from '../graph/timeline.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { type Result, succeed } from '../kernel/errors/result.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import { type DeliveryStory, findAboutFailures, readDeliveryTimeline } from './delivery-timeline.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryDocument,
  type DeliveryStatus,
  type WebhookModels,
} from './model.ts';
import { type Attempt, type Delivery, presentAttempt, presentDelivery } from './present.ts';
import { type ReplayDeps, replay } from './replay.ts';
import { findWaiting, type Waiting } from './waiting.ts';

/** Which of a tenant's deliveries to list; all given conditions must hold. */
export interface DeliveryListing {
  readonly status?: readonly DeliveryStatus[];
  readonly event?: string;
  /** Time of the event. */
  readonly createdAt?: { readonly $gt?: Date; readonly $lt?: Date };
  readonly direction: 'asc' | 'desc';
}

/** Tenants' reads of their deliveries, and the replay of one. */
export interface Deliveries {
  /** The tenant's deliveries with these ids, by id. */
  findByIds(tenantId: string, deliveryIds: readonly string[]): Promise<Map<string, Delivery>>;
  /** The public form of a stored delivery. */
  present(document: DeliveryDocument): Promise<Delivery>;
  /** In order of creation. */
  list(tenantId: string, listing: DeliveryListing, page: Page): Promise<Connection<Delivery>>;
  /** The attempts of each of these deliveries of the tenant, first to last; kept for `WEBHOOK_RETENTION_DAYS`. */
  attempts(tenantId: string, deliveryIds: readonly string[]): Promise<Map<string, Attempt[]>>;
  /** The newest `most` deliveries about failed calls that named a record of the tenant. */
  aboutFailures(tenantId: string, record: TimelineRecord, most: number): Promise<TimelineDelivery[]>;
  /** The history of these deliveries: at most `most` changes of status, which `history` has, and as many attempts. */
  timeline(
    history: EventHistory,
    tenantId: string,
    deliveryIds: readonly string[],
    most: number,
  ): Promise<DeliveryStory>;
  /** The deliveries that wait for one of the tenant's endpoints, as deliveries name it. */
  waiting(tenantId: string, endpoint: string): Promise<Waiting>;
  /**
   * Sends an ended delivery again, with the same id, address, secret and bytes. Failures: WEBHOOK_DELIVERY_NOT_FOUND,
   * WEBHOOK_DELIVERY_NOT_REPLAYABLE.
   */
  replay(tenantId: string, deliveryId: string): Promise<Result<Delivery>>;
}

export function createDeliveries(deps: ReplayDeps & { models: WebhookModels; box: Box }): Deliveries {
  const { models, box } = deps;
  const present = async (document: DeliveryDocument) =>
    presentDelivery(box, document, await findPaused(models, document.tenantId));
  return {
    findByIds: async (tenantId, ids) => {
      const [found, paused] = await Promise.all([
        models.deliveries.find({ _id: { $in: ids }, tenantId }).lean(),
        findPaused(models, tenantId),
      ]);
      return new Map(found.map((document) => [document._id, presentDelivery(box, document, paused)]));
    },
    present,
    list: async (tenantId, { status = DELIVERY_STATUSES, event, createdAt, direction }, page) => {
      const paused = await findPaused(models, tenantId);
      return paginate(
        models.deliveries,
        {
          tenantId,
          ...(event === undefined ? {} : { event }),
          ...inStatuses(new Set(status), paused),
          ...(createdAt === undefined ? {} : { createdAt }),
        },
        page,
        (document) => presentDelivery(box, document, paused),
        { field: 'createdAt', direction },
      );
    },
    attempts: async (tenantId, ids) => {
      const found = await models.attempts
        .find({ deliveryId: { $in: ids }, tenantId })
        .sort({ deliveryId: 1, number: 1 })
        .lean();
      const byDelivery = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
      for (const attempt of found) {
        byDelivery.get(attempt.deliveryId)?.push(presentAttempt(box, attempt));
      }
      return byDelivery;
    },
    aboutFailures: (tenantId, record, most) => findAboutFailures(models, tenantId, record, most),
    timeline: (history, tenantId, ids, most) => readDeliveryTimeline(models, history, tenantId, ids, most),
    waiting: (tenantId, endpoint) => findWaiting(models, tenantId, endpoint),
    replay: async (tenantId, id) => {
      const replayed = await replay(deps, tenantId, id);
      return replayed.ok ? succeed(await present(replayed.value)) : replayed;
    },
  };
}

/** The tenant's paused endpoints, as deliveries name them. */
async function findPaused(
  { endpointStates }: Pick<WebhookModels, 'endpointStates'>,
  tenantId: string,
): Promise<ReadonlySet<string>> {
  const found = await endpointStates.find({ tenantId, holds: 'PAUSED' }).select({ _id: 1 }).lean();
  return new Set(found.map(({ _id }) => _id));
}

/** The condition of stored deliveries that are shown in one of these statuses: see {@link presentDelivery}. */
function inStatuses(
  wanted: ReadonlySet<DeliveryStatus>,
  paused: ReadonlySet<string>,
): Pick<QueryFilter<DeliveryDocument>, '$or'> & { status: { $in: DeliveryStatus[] } } {
  const isPausedWanted = wanted.has('PAUSED');
  const status = { $in: [...new Set<DeliveryStatus>(isPausedWanted ? [...wanted, 'PENDING'] : wanted)] };
  if (isPausedWanted === wanted.has('PENDING') || (!isPausedWanted && paused.size === 0)) {
    return { status };
  }
  const endpoint = isPausedWanted ? { $in: [...paused] } : { $nin: [...paused] };
  return { status, $or: [{ endpoint }, { status: { $ne: 'PENDING' } }] };
}
