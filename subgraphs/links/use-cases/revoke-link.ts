import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { LinksDeps } from '../deps.ts';
import { LINK_STATES } from '../lifecycle.ts';
import type { Link } from '../link.ts';
import { recordChange } from './record-change.ts';

/** Revokes a link, also one that expired. Fails with LINK_NOT_FOUND or LINK_ALREADY_REVOKED. */
export async function revokeLink(
  deps: LinksDeps,
  { accountId }: Principal,
  linkId: string,
): Promise<Result<Link>> {
  const revoked = await deps.transaction(async (unit): Promise<Result<Link>> => {
    const link = await deps.links.find({ accountId, linkId }, unit);
    if (!link) {
      return fail('LINK_NOT_FOUND');
    }
    const status = LINK_STATES[link.status].revoke;
    if (status === undefined) {
      return fail('LINK_ALREADY_REVOKED');
    }
    const at = deps.accountClock(accountId);
    const changes = { status, visibility: 'revoked', revokedAt: at } as const;
    const activityInput = { type: 'link.revoked', actor: 'partner' } as const;
    return succeed(await recordChange(deps, { link, changes, activityInput, at }, unit));
  });
  return revoked;
}
