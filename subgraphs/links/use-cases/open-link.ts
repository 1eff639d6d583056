import type { Environment } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { isMeant } from '../../partners/tenants/find-meant.ts';
import type { LinksDeps } from '../deps.ts';
import { unusable } from '../errors.ts';
import { LINK_STATES, usabilityOf } from '../lifecycle.ts';
import type { Link } from '../link.ts';
import type { LinkKey } from '../store/link-repository.ts';
import { recordChange } from './record-change.ts';

/**
 * The user opens a link: of whatever tenant for the platform's own back end, of the caller's tenant in a simulation. Opened
 * again, nothing is written. With an environment, a link of the other one is unknown. Fails with LINK_NOT_FOUND, or LINK_REVOKED for one that is revoked or expired.
 */
export async function openLink(
  deps: LinksDeps,
  key: LinkKey,
  environment?: Environment,
): Promise<Result<Link>> {
  const opened = await deps.transaction(async (unit): Promise<Result<Link>> => {
    const link = await deps.links.find(key, unit);
    if (!link || !isMeant(deps.tenants, link.accountId, environment)) {
      return fail('LINK_NOT_FOUND');
    }
    const at = deps.accountClock(link.accountId);
    const usability = usabilityOf(link, at);
    if (usability !== 'usable') {
      return unusable(usability);
    }
    const status = LINK_STATES[link.status].open;
    if (status === undefined || status === link.status) {
      return succeed(link);
    }
    const activityInput = { type: 'link.opened', actor: 'user', since: link.createdAt } as const;
    return succeed(
      await recordChange(deps, { link, changes: { status, openedAt: at }, activityInput, at }, unit),
    );
  });
  return opened;
}
