import type { ConsoleAccess, Scope } from '../../kernel/principal.ts';
import type { ConsoleSessionDocument } from './console-session-model.ts';

/** The public part of a console session. Times are UTC. */
export interface ConsoleSession {
  readonly sessionId: string;
  readonly access: ConsoleAccess;
  readonly label: string;
  /** The API key that made its link; absent: an operator did. */
  readonly keyId?: string;
  /** The OpenID Connect provider that the person signed in by; absent for a link. */
  readonly issuer?: string;
  readonly createdAt: Date;
  /** When its link was used; absent: it was not yet. */
  readonly openedAt?: Date;
  /** To the minute. */
  readonly lastUsedAt?: Date;
  /** Its end at the latest; of a link that was not used yet, the end of the link. */
  readonly expiresAt: Date;
  readonly revokedAt?: Date;
}

const VIEWER: readonly Scope[] = ['partner'];
const SUPPORT: readonly Scope[] = [...VIEWER, 'partner_contact', 'partner_webhooks'];
const OPERATOR: readonly Scope[] = [...SUPPORT, 'partner_write'];

/**
 * The scopes of each access in a session of a partner, as `subgraphs/graph/console-roles.ts` has them for each mutation. A session has
 * none of it that the key behind it does not have.
 */
export const SCOPES_OF: Readonly<Record<ConsoleAccess, readonly Scope[]>> = {
  read: VIEWER,
  support: SUPPORT,
  operate: OPERATOR,
  admin: [...OPERATOR, 'partner_admin'],
};

/** The public part of a stored session. */
export function present({
  _id: sessionId,
  accountId: _tenant,
  hash: _hash,
  signInKeys: _keys,
  signInVersion: _version,
  ...shown
}: ConsoleSessionDocument): ConsoleSession {
  return { sessionId, ...shown };
}

/**
 * The address that signs in by a code, once. The code is behind `#`: browsers send that part to no server, so that it comes
 * into no log.
 * @param publicUrl without a slash at its end
 */
export function consoleLinkUrl(publicUrl: string, code: string): string {
  return `${publicUrl}/console/#code=${code}`;
}
