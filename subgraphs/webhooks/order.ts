import type { UnitOfWork } from '../kernel/database/unit-of-work.ts';
import { type DeliveryDocument, NOT_DUE, type WebhookModels } from './model.ts';

/** A delivery with an order. */
export type OrderedDelivery = DeliveryDocument & { order: string };

export function isOrdered(document: DeliveryDocument): document is OrderedDelivery {
  return document.order !== undefined;
}

/** A delivery that has just ended, and when. */
interface EndedDelivery {
  readonly document: DeliveryDocument;
  readonly at: Date;
}

/**
 * Sends the deliveries of an entity to an endpoint one after the other, in the order of their commits. A delivery waits for
 * at most one other, and at most one other waits for it.
 */
export interface DeliveryOrder {
  /**
   * Puts new deliveries after those that have not ended, once for all deliveries of the transaction that stores them. Of two
   * transactions at once the database lets one through; the other runs again and comes after it. @returns the deliveries to
   * store, in the same order
   */
  chain(deliveries: readonly OrderedDelivery[], unit: UnitOfWork): Promise<OrderedDelivery[]>;
  /**
   * Makes deliveries due that waited for these, in the transaction that ends these. Reads nothing when none has an order.
   * @returns ids of the deliveries that are due now
   */
  release(ended: readonly EndedDelivery[], unit: UnitOfWork): Promise<string[]>;
  /**
   * Takes deliveries out of their orders, whether their turn has come or not, in the transaction that changes them: the caller
   * removes their `order` and `after`. A delivery that waited for one of these waits for the nearest earlier one that stays, or
   * is due at `at`.
   */
  leave(leaving: readonly DeliveryDocument[], at: Date, unit: UnitOfWork): Promise<void>;
}

interface OrderDeps {
  models: Pick<WebhookModels, 'deliveries' | 'orders'>;
}

export function createDeliveryOrder(deps: OrderDeps): DeliveryOrder {
  return {
    chain: (deliveries, unit) => chain(deps, deliveries, unit),
    release: (ended, unit) => release(deps, ended, unit),
    leave: (leaving, at, unit) => leave(deps, leaving, at, unit),
  };
}

async function chain(
  { models }: OrderDeps,
  deliveries: readonly OrderedDelivery[],
  unit: UnitOfWork,
): Promise<OrderedDelivery[]> {
  const ids = [...new Set(deliveries.map(({ order }) => order))];
  const found = await models.orders
    .find({ _id: { $in: ids } })
    .session(unit.session)
    .lean();
  const before = new Map(found.map((one) => [one._id, one]));
  const last = new Map(found.map((one) => [one._id, one.last]));
  const chained = deliveries.map((delivery) => {
    const after = last.get(delivery.order);
    last.set(delivery.order, delivery._id);
    return after === undefined ? delivery : { ...delivery, after, nextAttemptAt: NOT_DUE };
  });
  for (const [_id, tail] of last) {
    const known = before.get(_id);
    if (known) {
      unit.update(models.orders, {
        filter: { _id, last: known.last ?? { $exists: false } },
        update: { $set: { last: tail }, $unset: { idleSince: 1 } },
        otherwise: () => new Error(`The order ${_id} changed within the transaction that read it`),
      });
    } else {
      unit.insert(models.orders, [{ _id, last: tail }]);
    }
  }
  return chained;
}

async function release(
  { models }: OrderDeps,
  ended: readonly EndedDelivery[],
  unit: UnitOfWork,
): Promise<string[]> {
  const ordered = ended.flatMap(({ document, at }) => (isOrdered(document) ? { document, at } : []));
  if (ordered.length === 0) {
    return [];
  }
  const ids = ordered.map(({ document }) => document._id);
  const waiting = await findWaitingFor(models, ids, unit);
  const byFormer = new Map(waiting.map((one) => [one.after, one]));
  for (const { document, at } of ordered) {
    const next = byFormer.get(document._id);
    if (next === undefined) {
      // Conflicts with a transaction that adds a delivery after it at the same time: one of the two runs again and sees the
      // other.
      unit.update(models.orders, {
        filter: { _id: document.order, last: document._id },
        update: { $set: { idleSince: at }, $unset: { last: 1 } },
      });
    } else {
      makeDue(models, next, at, unit);
    }
  }
  return [...byFormer.values()].map(({ _id }) => _id);
}

type WaitingDelivery = Pick<DeliveryDocument, '_id' | 'accountId'> & { after: string };

function findWaitingFor(
  { deliveries }: Pick<WebhookModels, 'deliveries'>,
  ids: readonly string[],
  unit: UnitOfWork,
): Promise<WaitingDelivery[]> {
  return deliveries
    .find({ after: { $in: ids } })
    .select({ accountId: 1, after: 1 })
    .session(unit.session)
    .lean<WaitingDelivery[]>();
}

function makeDue(
  { deliveries }: Pick<WebhookModels, 'deliveries'>,
  { _id, accountId, after }: WaitingDelivery,
  at: Date,
  unit: UnitOfWork,
): void {
  unit.update(deliveries, {
    filter: { _id, accountId, after },
    update: { $set: { nextAttemptAt: at }, $unset: { after: 1 } },
  });
}

async function leave(
  { models }: OrderDeps,
  leaving: readonly DeliveryDocument[],
  at: Date,
  unit: UnitOfWork,
): Promise<void> {
  const ordered = new Map(leaving.filter(isOrdered).map((document) => [document._id, document]));
  if (ordered.size === 0) {
    return;
  }
  const staying = await findWaitingFor(models, [...ordered.keys()], unit);
  const waiting = staying.filter(({ _id }) => !ordered.has(_id));
  for (const next of waiting) {
    const { _id, accountId, after } = next;
    const earlier = earlierOf(ordered, after);
    if (earlier === undefined) {
      makeDue(models, next, at, unit);
    } else {
      unit.update(models.deliveries, {
        filter: { _id, accountId, after },
        update: { $set: { after: earlier } },
      });
    }
  }
  const waitedFor = new Set([...waiting, ...ordered.values()].map(({ after }) => after));
  for (const { _id: last, order } of [...ordered.values()].filter(({ _id }) => !waitedFor.has(_id))) {
    const earlier = earlierOf(ordered, last);
    // Conflicts with a transaction that adds a delivery after it, as in `release`.
    unit.update(models.orders, {
      filter: { _id: order, last },
      update:
        earlier === undefined
          ? { $set: { idleSince: at }, $unset: { last: 1 } }
          : { $set: { last: earlier } },
    });
  }
}

/** The nearest earlier delivery that stays in the order; undefined without one. */
function earlierOf(leaving: ReadonlyMap<string, OrderedDelivery>, id: string): string | undefined {
  const left = leaving.get(id);
  if (left === undefined) {
    return id;
  }
  return left.after === undefined ? undefined : earlierOf(leaving, left.after);
}
