import type { Box } from '../crypto/box.ts';
import { type Result, succeed } from '../errors/result.ts';
import type { EventHistory } from '../events/index.ts';
import type { Connection } from '../graphql/connection.ts';
import { type Page, paginate } from '../graphql/paginate.ts';
import type { TimelineDelivery, TimelineRecord } from '../graphql/timeline.ts';
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

/** What tenants see of their deliveries, and how they send one again. */
export interface Deliveries {
  /** The tenant's deliveries with these ids, by id. */
  findByIds(tenantId: string, deliveryIds: readonly string[]): Promise<Map<string, Delivery>>;
  /** The public form of a stored delivery. */
  present(document: DeliveryDocument): Delivery;
  /** In order of creation. */
  list(tenantId: string, listing: DeliveryListing, page: Page): Promise<Connection<Delivery>>;
  /** The attempts of each of these deliveries of the tenant, first to last; kept for `WEBHOOK_RETENTION_DAYS`. */
  attempts(tenantId: string, deliveryIds: readonly string[]): Promise<Map<string, Attempt[]>>;
  /** The newest `most` deliveries about failed calls that named a record of the tenant. */
  aboutFailures(tenantId: string, record: TimelineRecord, most: number): Promise<TimelineDelivery[]>;
  /** What happened to these deliveries: at most `most` changes of status, which `history` has, and as many attempts. */
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
  return {
    findByIds: async (tenantId, ids) => {
      const found = await models.deliveries.find({ _id: { $in: ids }, tenantId }).lean();
      return new Map(found.map((document) => [document._id, presentDelivery(box, document)]));
    },
    present: (document) => presentDelivery(box, document),
    list: (tenantId, { status = DELIVERY_STATUSES, event, createdAt, direction }, page) =>
      paginate(
        models.deliveries,
        {
          tenantId,
          ...(event === undefined ? {} : { event }),
          status: { $in: [...new Set(status)] },
          ...(createdAt === undefined ? {} : { createdAt }),
        },
        page,
        (document) => presentDelivery(box, document),
        { field: 'createdAt', direction },
      ),
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
      return replayed.ok ? succeed(presentDelivery(box, replayed.value)) : replayed;
    },
  };
}
