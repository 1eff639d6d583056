import type { ClientSession, Connection } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { ListExpired } from '../kernel/clock/account-clock.ts';
import { removeEach, removeInRounds } from '../kernel/database/remove-expired.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import { REPLAYABLE } from './bulk-replay-model.ts';
import type { DeliveryDocument, WebhookModels } from './model.ts';
import {
  createDeliveryTotalsModel,
  type DeliveryTotalsDocument,
  type DeliveryTotalsModel,
} from './totals.ts';

const DAY_MS = 86_400_000;

interface Removed {
  readonly deliveries: number;
  readonly attempts: number;
}

/** Removes records that have reached their age. */
export interface Retention {
  /**
   * Removes ended deliveries, and attempts, in small rounds beside the traffic. PENDING and paused deliveries stay, however
   * old. It may run twice at once, and be killed: the transaction that removes a delivery adds it to the totals.
   */
  removeExpired(signal: AbortSignal): Promise<Removed>;
}

interface RetentionDeps {
  models: Pick<WebhookModels, 'deliveries' | 'attempts'>;
  /** The connection of the totals' model. */
  connection: Connection;
  transaction: RunTransaction;
  listExpired: ListExpired;
  /** `WEBHOOK_RETENTION_DAYS`: since a delivery ended, and since an attempt was made; default 30. */
  retentionDays?: number;
}

export function createRetention({
  models,
  connection,
  transaction,
  listExpired,
  retentionDays = 30,
}: RetentionDeps): Retention {
  const totals = createDeliveryTotalsModel(connection);
  return {
    removeExpired: async (signal) => {
      const sum = { deliveries: 0, attempts: 0 };
      for (const { at, accountId } of listExpired()) {
        const before = new Date(at.getTime() - retentionDays * DAY_MS);
        sum.deliveries += await removeInRounds(
          (most) =>
            transaction((unit) =>
              removeDeliveries(models, totals, { before, most, accountId }, unit.session),
            ),
          signal,
        );
        if (accountId === undefined) {
          sum.attempts += await removeInRounds(
            (most) => removeAttempts(models.attempts, before, most),
            signal,
          );
        }
      }
      return sum;
    },
  };
}

type Ended = Pick<
  DeliveryDocument,
  '_id' | 'accountId' | 'endpoint' | 'status' | 'attempt' | 'earlierAttempts'
> & { finishedAt: Date };

/** A replay at the same time conflicts with it: one of the two transactions runs again, and finds what the other left. */
async function removeDeliveries(
  { deliveries, attempts }: RetentionDeps['models'],
  totals: DeliveryTotalsModel,
  { before, most, accountId }: { before: Date; most: number; accountId: AccountId | undefined },
  session: ClientSession,
): Promise<number> {
  const ended = await deliveries
    .find({ finishedAt: { $lt: before }, ...(accountId && { accountId, status: { $in: [...REPLAYABLE] } }) })
    // The index by time has the deliveries of all accounts: an account that is ahead would read those that are kept.
    .sort(accountId ? { createdAt: 1, _id: 1 } : { finishedAt: 1 })
    .limit(most)
    .select(['accountId', 'endpoint', 'status', 'attempt', 'earlierAttempts', 'finishedAt'])
    .session(session)
    .lean<Ended[]>();
  if (ended.length === 0) {
    return 0;
  }
  const removals = ended.map(({ _id, accountId }) => ({ deleteOne: { filter: { _id, accountId } } }));
  const { deletedCount } = await deliveries.bulkWrite(removals, { session });
  if (deletedCount !== ended.length) {
    throw new Error(`Of ${ended.length} deliveries that a transaction has read it removed ${deletedCount}`);
  }
  if (accountId) {
    // Others go by their own time.
    const ids = ended.map(({ _id }) => _id);
    await attempts.deleteMany({ accountId, deliveryId: { $in: ids } }, { session });
  }
  const additions = sumByDay(ended).map(({ _id, accountId, endpoint, day, ...counts }) => ({
    updateOne: {
      filter: { _id },
      update: { $setOnInsert: { accountId, endpoint, day }, $inc: counts },
      upsert: true,
    },
  }));
  await totals.bulkWrite(additions, { session });
  return ended.length;
}

function sumByDay(ended: readonly Ended[]): DeliveryTotalsDocument[] {
  const sums = new Map<string, DeliveryTotalsDocument>();
  for (const { accountId, endpoint, status, attempt, earlierAttempts, finishedAt } of ended) {
    const day = new Date(Math.floor(finishedAt.getTime() / DAY_MS) * DAY_MS);
    const _id = `${accountId}|${endpoint}|${day.toISOString().slice(0, 10)}`;
    const sum = sums.get(_id) ?? {
      _id,
      accountId,
      endpoint,
      day,
      delivered: 0,
      deadLettered: 0,
      attempts: 0,
    };
    sum.delivered += status === 'DELIVERED' ? 1 : 0;
    sum.deadLettered += status === 'DEAD_LETTERED' ? 1 : 0;
    sum.attempts += attempt + earlierAttempts;
    sums.set(_id, sum);
  }
  return [...sums.values()];
}

async function removeAttempts(
  attempts: WebhookModels['attempts'],
  before: Date,
  most: number,
): Promise<number> {
  const expired = await attempts
    .find({ at: { $lt: before } })
    .sort({ at: 1, _id: 1 })
    .limit(most)
    .select({ accountId: 1 })
    .lean();
  await removeEach(
    attempts,
    expired.map(({ _id, accountId }) => ({ _id, accountId })),
  );
  return expired.length;
}
