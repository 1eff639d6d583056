import { newId, newLinkToken } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tenant } from '../../partners/tenants/service.ts';
import { refusalOf } from '../../users/index.ts';
import type { CreateCipTicket } from '../commands/link-commands.ts';
import type { LinksDeps } from '../deps.ts';
import { insufficientData, unusable } from '../errors.ts';
import { usabilityOf } from '../lifecycle.ts';
import type { CipTicket, Link } from '../link.ts';
import type { CipTicketDocument } from '../store/model.ts';
import { missingFields } from '../user-data.ts';
import { recordChange } from './record-change.ts';

/**
 * Creates an identity-verification ticket. Fails with LINK_NOT_FOUND, LINK_REVOKED for a link that is revoked or expired,
 * USER_BLOCKED or USER_ERASED, INSUFFICIENT_USER_DATA; the first one counts.
 */
export async function createCipTicket(
  deps: LinksDeps,
  { accountId }: Principal,
  { linkId }: CreateCipTicket,
): Promise<Result<CipTicket>> {
  const tenant = await deps.tenants.find(accountId);
  if (!tenant) {
    return fail('LINK_NOT_FOUND');
  }
  const created = await deps.transaction((unit) => createWithin(deps, tenant, linkId, unit));
  return created;
}

async function createWithin(
  deps: LinksDeps,
  tenant: Tenant,
  linkId: string,
  unit: UnitOfWork,
): Promise<Result<CipTicket>> {
  const { accountId } = tenant;
  const found = await deps.links.find({ accountId, linkId }, unit);
  if (!found) {
    return fail('LINK_NOT_FOUND');
  }
  const at = deps.accountClock(accountId);
  const usability = usabilityOf(found, at);
  if (usability !== 'usable') {
    return unusable(usability);
  }
  const user = await deps.users.accountState(accountId, found.userId, unit);
  const refusal = user && refusalOf(user);
  if (refusal) {
    return fail(refusal);
  }
  const missing = missingFields(found.userData);
  if (missing.length > 0) {
    return insufficientData(missing);
  }
  const ticket = newTicket(tenant, found, at);
  await deps.tickets.insertMany([ticket], { session: unit.session });
  const activityInput = {
    type: 'cip.ticket_created',
    actor: 'partner',
    data: { ticketId: ticket._id },
  } as const;
  const link = await recordChange(deps, { link: found, activityInput, at }, unit);
  return succeed({ ticketId: ticket._id, widgetUrl: ticket.widgetUrl, createdAt: at, link });
}

function newTicket(
  { accountId, widgetBaseUrl }: Tenant,
  { linkId, userId }: Link,
  createdAt: Date,
): CipTicketDocument {
  return {
    _id: newId('tck_'),
    accountId,
    linkId,
    userId,
    widgetUrl: `${widgetBaseUrl ?? ''}/cip/${newLinkToken()}`,
    isOpen: true,
    createdAt,
  };
}
