import type { WebhookModels } from './model.ts';

/** What an endpoint has not been sent yet. */
export interface Waiting {
  /** PENDING deliveries, those that are being tried included; {@link MOST_COUNTED} stands for that many or more. */
  readonly pending: number;
  /** When the longest due of them is, or was, due; null without any. */
  readonly oldestDueAt: Date | null;
}

/** A backlog is not counted to its end: that would take as long as it is. */
export const MOST_COUNTED = 10_000;

/** What waits for one of a tenant's endpoints, as deliveries name it. */
export async function findWaiting(
  { deliveries }: Pick<WebhookModels, 'deliveries'>,
  tenantId: string,
  endpoint: string,
): Promise<Waiting> {
  const waiting = { endpoint, tenantId, status: 'PENDING' as const };
  const [pending, oldest] = await Promise.all([
    deliveries.countDocuments(waiting, { limit: MOST_COUNTED }),
    deliveries.findOne(waiting).sort({ nextAttemptAt: 1 }).select({ nextAttemptAt: 1 }).lean(),
  ]);
  return { pending, oldestDueAt: oldest?.nextAttemptAt ?? null };
}
