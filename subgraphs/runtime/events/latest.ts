import type { AccountId } from '../../kernel/account.ts';
import type { Cursors } from './cursor.ts';
import type { EventReader } from './reader.ts';

const DAY_MS = 86_400_000;

interface LatestDeps {
  reader: Pick<EventReader, 'head' | 'lastOf'>;
  cursors: Pick<Cursors, 'encode'>;
  clock(): Date;
  /** How long the log is kept, in milliseconds. */
  retentionMs: number;
}

/**
 * Where an account's log stands: the cursor of its last numbered event. Numbers are given after commits, so whatever is read
 * after this has all that the cursor is behind, and all that it lacks comes to a follower of the log after the cursor; some
 * of what was read comes again, when it had no number yet.
 *
 * It is the account's own last event, not the head of the log: that would show how often others write. As everything after
 * it is still there, it is good for about the whole time that the log is kept, also where its event is older; for that its
 * text changes once a day. Without any event it is the beginning of the log.
 * @throws when the database cannot be reached
 */
export async function latestCursor(
  { reader, cursors, clock, retentionMs }: LatestDeps,
  accountId: AccountId,
): Promise<string> {
  const last = await reader.lastOf(accountId, await reader.head());
  const today = Math.floor(clock().getTime() / DAY_MS) * DAY_MS;
  const keptUntil = new Date(Math.max(last?.keptUntil.getTime() ?? 0, today + retentionMs));
  return cursors.encode(accountId, { seq: last?.seq ?? 0, keptUntil });
}
