import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { ConsoleSessionDocument } from './console-session-model.ts';
import { digestOf } from './lookup.ts';

/** A person at an OpenID Connect provider. */
export interface SignedInBy {
  readonly issuer: string;
  /** The person, by the claim `sub`. */
  readonly sub: string;
  /** The person's session at the provider, by the claim `sid`; absent where the provider names none. */
  readonly sid?: string;
  /** Identifies provider, client and roles, as the account has them: see `versionOf` of a sign-in. */
  readonly version: string;
}

/** A sign-out at a provider: at least one of `sub` and `sid`. */
export type EndedAtProvider = Pick<SignedInBy, 'issuer'> & Partial<Pick<SignedInBy, 'sub' | 'sid'>>;

interface SignedInDeps {
  readonly model: Model<ConsoleSessionDocument>;
  /** Secret that the digests are keyed with. */
  readonly pepper: string;
  readonly log: Logger;
  clock(): Date;
}

/** In place of the `sid` of a session without one. No provider has an empty `sid`. */
const NO_SID = '';

/** The names that a session has at its provider: the person, the session, and both together. */
export function namesOf({ issuer, sub, sid }: Omit<SignedInBy, 'version'>): EndedAtProvider[] {
  return sid === undefined
    ? [
        { issuer, sub },
        { issuer, sub, sid: NO_SID },
      ]
    : [
        { issuer, sub },
        { issuer, sid },
        { issuer, sub, sid },
      ];
}

/**
 * The names of the sessions that a sign-out ends. One that names a person and a session also ends the person's sessions for which
 * the provider gave no `sid`: one of them may be the session.
 */
export function namesEndedBy({ issuer, sub, sid }: EndedAtProvider): EndedAtProvider[] {
  return sub === undefined || sid === undefined
    ? [{ issuer, ...(sub !== undefined && { sub }), ...(sid !== undefined && { sid }) }]
    : [
        { issuer, sub, sid },
        { issuer, sub, sid: NO_SID },
      ];
}

/** The digests of a session's names. */
export function signInKeysOf(
  pepper: string,
  accountId: AccountId,
  by: Omit<SignedInBy, 'version'>,
): string[] {
  return namesOf(by).map((name) => keyOf(pepper, accountId, name));
}

function keyOf(pepper: string, accountId: AccountId, { issuer, sub, sid }: EndedAtProvider): string {
  return digestOf(pepper, JSON.stringify([accountId, issuer, sub ?? null, sid ?? null]));
}

/** Ends the sessions of an account that a provider says have ended. Answers how many. */
export async function endSignedIn(
  { model, pepper, clock, log }: SignedInDeps,
  accountId: AccountId,
  by: EndedAtProvider,
): Promise<number> {
  let sessions = 0;
  for (const name of namesEndedBy(by)) {
    const { modifiedCount } = await model.updateMany(
      { signInKeys: keyOf(pepper, accountId, name), revokedAt: { $exists: false } },
      { revokedAt: clock() },
    );
    sessions += modifiedCount;
  }
  log.info({ accountId, sessions }, 'console_session.ended_by_provider');
  return sessions;
}
