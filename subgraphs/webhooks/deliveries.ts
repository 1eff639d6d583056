import type { QueryFilter } from 'mongoose';
import type { Connection } from '../graph/connection.ts';
import { type Page, paginate } from '../graph/paginate.ts';
import type { TimelineDelivery, TimelineRecord } from '../graph/timeline.ts';
import type { AccountId } from '../kernel/account.ts';
import { type Result, succeed } from '../kernel/errors/result.ts';
import type { Tenants } from '../partners/tenants/service.ts';
import type { EventHistory } from '../runtime/events/index.ts';
import { type DeliveryStory, findAboutFailures, readDeliveryTimeline } from './delivery-timeline.ts';
import {
  DELIVERY_STATUSES,
  type DeliveryDocument,
  type DeliveryStatus,
  type WebhookModels,
} from './model.ts';
import { type Attempt, type Delivery, presentAttempt, presentDelivery } from './present.ts';
import { type ReplayDeps, type ReplayUrl, replay } from './replay.ts';
import { sendNow } from './send-now.ts';
import type { SigningKeyOf } from './signing-key.ts';
import { findWaiting, type Waiting } from './waiting.ts';

/** Which of an account's deliveries to list; all given conditions must hold. */
export interface DeliveryListing {
  readonly status?: readonly DeliveryStatus[];
  readonly event?: string;
  /** Id of the endpoint that they were made for. */
  readonly endpointId?: string;
  /** Time of the event. */
  readonly createdAt?: { readonly $gt?: Date; readonly $lt?: Date };
  readonly direction: 'asc' | 'desc';
}

/** Tenants' reads of their deliveries, and their acts on one. */
export interface Deliveries {
  /** The account's deliveries with these ids, by id. */
  findByIds(accountId: AccountId, deliveryIds: readonly string[]): Promise<Map<string, Delivery>>;
  /** The public form of a stored delivery. */
  present(document: DeliveryDocument): Promise<Delivery>;
  /** In order of creation. */
  list(accountId: AccountId, listing: DeliveryListing, page: Page): Promise<Connection<Delivery>>;
  /** The attempts of each of these deliveries of the account, first to last; kept for `WEBHOOK_RETENTION_DAYS`. */
  attempts(accountId: AccountId, deliveryIds: readonly string[]): Promise<Map<string, Attempt[]>>;
  /** The newest `most` deliveries about failed calls that named a record of the account. */
  aboutFailures(accountId: AccountId, record: TimelineRecord, most: number): Promise<TimelineDelivery[]>;
  /** The history of these deliveries: at most `most` changes of status, which `history` has, and as many attempts. */
  timeline(
    history: EventHistory,
    accountId: AccountId,
    deliveryIds: readonly string[],
    most: number,
  ): Promise<DeliveryStory>;
  /** The deliveries that wait for one of the account's endpoints, as deliveries name it. */
  waiting(accountId: AccountId, endpoint: string): Promise<Waiting>;
  /**
   * Sends an ended delivery again, with the same id and bytes, to the same URL or its endpoint's current one: see {@link replay}.
   * Failures: WEBHOOK_DELIVERY_NOT_FOUND, WEBHOOK_DELIVERY_NOT_REPLAYABLE, WEBHOOK_ENDPOINT_NOT_FOUND.
   */
  replay(accountId: AccountId, deliveryId: string, to?: ReplayUrl): Promise<Result<Delivery>>;
  /**
   * Makes a delivery that waits for its next attempt due at once: see {@link sendNow}. Failures: WEBHOOK_DELIVERY_NOT_FOUND,
   * WEBHOOK_DELIVERY_NOT_WAITING, WEBHOOK_ENDPOINT_HELD.
   */
  sendNow(accountId: AccountId, deliveryId: string): Promise<Result<Delivery>>;
}

interface DeliveriesDeps extends ReplayDeps {
  models: WebhookModels;
  tenants: Pick<Tenants, 'find' | 'findStored'>;
  signingKeyOf: SigningKeyOf;
}

export function createDeliveries(deps: DeliveriesDeps): Deliveries {
  const { models, box, clocks, tenants, signingKeyOf } = deps;
  const presenterOf = async (accountId: AccountId) => {
    const [paused, tenant] = await Promise.all([findPaused(models, accountId), tenants.find(accountId)]);
    const around = { paused, tenant, signingKeyOf, aheadMs: clocks.aheadMs(accountId) };
    return { paused, presentOne: (document: DeliveryDocument) => presentDelivery(box, document, around) };
  };
  const present = async (document: DeliveryDocument) =>
    (await presenterOf(document.accountId)).presentOne(document);
  const presentResult = async (result: Result<DeliveryDocument>) =>
    result.ok ? succeed(await present(result.value)) : result;
  return {
    findByIds: async (accountId, ids) => {
      const [found, { presentOne }] = await Promise.all([
        models.deliveries.find({ _id: { $in: ids }, accountId }).lean(),
        presenterOf(accountId),
      ]);
      return new Map(found.map((document) => [document._id, presentOne(document)]));
    },
    present,
    list: async (
      accountId,
      { status = DELIVERY_STATUSES, event, endpointId, createdAt, direction },
      page,
    ) => {
      const { paused, presentOne } = await presenterOf(accountId);
      return paginate(
        models.deliveries,
        {
          accountId,
          ...(event === undefined ? {} : { event }),
          ...(endpointId === undefined ? {} : { endpointId }),
          ...inStatuses(new Set(status), paused),
          ...(createdAt === undefined ? {} : { createdAt }),
        },
        page,
        presentOne,
        { field: 'createdAt', direction },
      );
    },
    attempts: async (accountId, ids) => {
      const found = await models.attempts
        .find({ deliveryId: { $in: ids }, accountId })
        .sort({ deliveryId: 1, number: 1 })
        .lean();
      const byDelivery = new Map<string, Attempt[]>(ids.map((id) => [id, []]));
      for (const attempt of found) {
        byDelivery.get(attempt.deliveryId)?.push(presentAttempt(box, attempt));
      }
      return byDelivery;
    },
    aboutFailures: (accountId, record, most) => findAboutFailures(models, accountId, record, most),
    timeline: (history, accountId, ids, most) =>
      readDeliveryTimeline(models, history, accountId, ids, most, {
        findPaused: () => findPaused(models, accountId),
        aheadMs: clocks.aheadMs(accountId),
      }),
    waiting: (accountId, endpoint) => findWaiting(models, accountId, endpoint),
    replay: async (accountId, id, to) => presentResult(await replay(deps, accountId, id, to)),
    sendNow: async (accountId, id) => presentResult(await sendNow(deps, accountId, id)),
  };
}

/** The account's paused endpoints, as deliveries name them. */
async function findPaused(
  { endpointStates }: Pick<WebhookModels, 'endpointStates'>,
  accountId: AccountId,
): Promise<ReadonlySet<string>> {
  const found = await endpointStates.find({ accountId, holds: 'PAUSED' }).select({ _id: 1 }).lean();
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
