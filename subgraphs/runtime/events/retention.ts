import { removeEach, removeInRounds } from '../../kernel/database/remove-expired.ts';
import type { EventModels } from './model.ts';

/** Events stay this much longer than `keptUntil`, because clocks differ. */
const MARGIN_MS = 86_400_000;

/**
 * Removes events behind their `keptUntil`, in small rounds beside the traffic. `keptUntil` never decreases along the log and is
 * that of the cursor, too: a cursor that still counts has lost nothing that comes after it. Events without a number stay,
 * for it has no such field. Safe to run twice at once.
 * @returns how many
 */
export async function removeExpiredEvents(
  { events }: Pick<EventModels, 'events'>,
  now: Date,
  signal: AbortSignal,
): Promise<number> {
  const before = new Date(now.getTime() - MARGIN_MS);
  return removeInRounds(async (most) => {
    const expired = await events
      .find({ keptUntil: { $lt: before } })
      .sort({ keptUntil: 1, seq: 1 })
      .limit(most)
      .select('_id')
      .lean();
    await removeEach(events, expired);
    return expired.length;
  }, signal);
}
