import type { AccountId } from '../kernel/account.ts';
import type { WebhookModels } from './model.ts';

/** The deliveries that wait for an endpoint. */
export interface Waiting {
  /** PENDING deliveries, including those that are being tried; {@link MOST_COUNTED} stands for that many or more. */
  readonly pending: number;
  /** When the longest due one is, or was, due; null without any. */
  readonly oldestDueAt: Date | null;
}

/** A backlog is not counted to its end, which would take as long as its size. */
const MOST_COUNTED = 10_000;

/** Reads what waits for one of the account's endpoints, as deliveries name it. */
export async function findWaiting(
  { deliveries }: Pick<WebhookModels, 'deliveries'>,
  accountId: AccountId,
  endpoint: string,
): Promise<Waiting> {
  const waiting = { status: 'PENDING' as const, endpoint };
  // Two looks into the index for claims: in a single look over all attempts the times would not be in order.
  const longestDue = (attempt: 0 | { $gt: 0 }) =>
    deliveries
      .findOne({ ...waiting, attempt, accountId })
      .sort({ nextAttemptAt: 1 })
      .select({ nextAttemptAt: 1 })
      .lean();
  const [pending, ...oldest] = await Promise.all([
    deliveries.countDocuments({ ...waiting, accountId }, { limit: MOST_COUNTED }),
    longestDue(0),
    longestDue({ $gt: 0 }),
  ]);
  const times = oldest.flatMap((one) => one?.nextAttemptAt.getTime() ?? []);
  return { pending, oldestDueAt: times.length === 0 ? null : new Date(Math.min(...times)) };
}
