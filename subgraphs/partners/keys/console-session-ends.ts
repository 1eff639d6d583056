import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { ConsoleSessionDocument } from './console-session-model.ts';
import { type ConsoleSession, present } from './console-session-record.ts';

interface EndDeps {
  readonly model: Model<ConsoleSessionDocument>;
  readonly log: Logger;
  clock(): Date;
}

/** The condition that a session was not revoked. */
export const UNREVOKED = { revokedAt: { $exists: false } };

/** Ends a session or a link of an account. Doing it again keeps the first time. Failures: CONSOLE_SESSION_NOT_FOUND. */
export async function revokeSession(
  { model, clock, log }: EndDeps,
  { accountId, keyId }: { readonly accountId: AccountId; readonly keyId?: string },
  sessionId: string,
): Promise<Result<ConsoleSession>> {
  const own = { _id: sessionId, accountId };
  const { modifiedCount } = await model.updateOne({ ...own, ...UNREVOKED }, { revokedAt: clock() });
  const found = await model.findOne(own).lean();
  if (modifiedCount > 0) {
    log.info({ accountId, keyId, sessionId }, 'console_session.revoked');
  }
  return found ? succeed(present(found)) : fail('CONSOLE_SESSION_NOT_FOUND');
}

/** Ends a session because its person signed out. */
export async function signOut(
  { model, clock, log }: EndDeps,
  accountId: AccountId,
  sessionId: string,
): Promise<void> {
  const own = { _id: sessionId, accountId, ...UNREVOKED };
  const { modifiedCount } = await model.updateOne(own, { revokedAt: clock() });
  if (modifiedCount > 0) {
    log.info({ accountId, sessionId }, 'console_session.signed_out');
  }
}
