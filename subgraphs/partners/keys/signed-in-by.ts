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

/** The digests by which a provider can name a session: first the person's, then the session's, and both together. */
export function signInKeysOf(
  pepper: string,
  accountId: AccountId,
  { issuer, sub, sid }: Omit<SignedInBy, 'version'>,
): string[] {
  const names = sid === undefined ? [{ sub }] : [{ sub }, { sid }, { sub, sid }];
  return names.map((name) => keyOf(pepper, accountId, { issuer, ...name }));
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
  const { modifiedCount } = await model.updateMany(
    { signInKeys: keyOf(pepper, accountId, by), revokedAt: { $exists: false } },
    { revokedAt: clock() },
  );
  log.info({ accountId, sessions: modifiedCount }, 'console_session.ended_by_provider');
  return modifiedCount;
}
