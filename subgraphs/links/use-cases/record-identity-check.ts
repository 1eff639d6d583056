import type { AccountId } from '../../kernel/account.ts';
import { queueKey } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import { isMeant } from '../../partners/tenants/find-meant.ts';
import type { IdentityCheck, UsersPort } from '../../users/index.ts';
import type { ActivityInput } from '../activity.ts';
import type { UpdateCip } from '../commands/link-commands.ts';
import type { LinksDeps, LinksPortDeps } from '../deps.ts';
import type { CheckedUser, Link } from '../link.ts';
import type { CipTicketDocument } from '../store/model.ts';
import { recordChanges } from './record-change.ts';

/**
 * Sets the state of a user's identity check, and may also take a `verified` back: of whatever tenant for the platform's own
 * back end, of the caller's tenant in a simulation. Fails with USER_NOT_FOUND.
 */
export async function updateCip(
  deps: LinksDeps,
  { userId, ...of }: { readonly userId: string; readonly accountId?: AccountId },
  { environment, status, provider, result }: UpdateCip,
): Promise<Result<CheckedUser>> {
  const accountId = of.accountId ?? (await deps.users.accountOf(userId));
  if (accountId === undefined || !isMeant(deps.tenants, accountId, environment)) {
    return fail('USER_NOT_FOUND');
  }
  const check: IdentityCheck = {
    accountId,
    userId,
    status,
    ...(provider === undefined ? {} : { provider }),
    ...(result === undefined ? {} : { result }),
    overrides: true,
    at: deps.accountClock(accountId),
  };
  const recorded = await deps.transaction(
    (unit) => recordIdentityCheck(deps, check, unit),
    queueKey(accountId, { userId }),
  );
  return recorded ? succeed({ userId, state: recorded.state }) : fail('USER_NOT_FOUND');
}

/** {@link LinksPort.recordIdentityCheck} */
export async function recordResult(
  deps: LinksPortDeps,
  check: Omit<IdentityCheck, 'overrides'>,
  unit: UnitOfWork,
): Promise<void> {
  // Links belong to references: a user without one is in no timeline.
  if (await deps.users.hasReference(check.accountId, check.userId, unit)) {
    await recordIdentityCheck(deps, check, unit);
  } else {
    deps.users.saveIdentityCheck(check, unit);
  }
}

/**
 * Records the state of a user's identity check, and writes a result into the timelines of the links that wait for one,
 * or else of all the user's links that still work. When a `verified` user is verified again, only the links that wait
 * get an entry.
 */
async function recordIdentityCheck(
  deps: LinksPortDeps,
  check: IdentityCheck,
  unit: UnitOfWork,
): ReturnType<UsersPort['recordIdentityCheck']> {
  const recorded = await deps.users.recordIdentityCheck(check, unit);
  if (!recorded || check.status === 'pending') {
    return recorded;
  }
  // Links belong to references; without one there is nothing to read.
  if (!(await deps.users.hasReference(check.accountId, check.userId, unit))) {
    return recorded;
  }
  const waiting = await closeTickets(deps, check, unit);
  const isNews = check.status === 'failed' || recorded.before !== 'verified';
  const affected = waiting.length > 0 || !isNews ? waiting : await usableLinks(deps, check, unit);
  const changes = affected.map(({ link, ticket }) => ({
    link,
    activityInput: activityInputOf(check, ticket),
    at: check.at,
  }));
  await recordChanges(deps, changes, unit);
  return recorded;
}

interface Affected {
  link: Link;
  /** The newest ticket of the link. */
  ticket?: CipTicketDocument;
}

async function closeTickets(
  { tickets, links }: LinksPortDeps,
  { accountId, userId, at }: IdentityCheck,
  unit: UnitOfWork,
): Promise<Affected[]> {
  const open = await tickets
    .find({ accountId, userId, isOpen: true })
    .sort({ createdAt: 1 })
    .session(unit.session)
    .lean();
  if (open.length === 0) {
    return [];
  }
  await tickets.updateMany(
    { _id: { $in: open.map(({ _id }) => _id) }, accountId, userId },
    { $set: { isOpen: false, closedAt: at } },
    { session: unit.session },
  );
  const newest = new Map(open.map((ticket) => [ticket.linkId, ticket]));
  const found = await links.findMany(accountId, [...newest.keys()], unit);
  return [...newest].flatMap(([linkId, ticket]) => {
    const link = found.get(linkId);
    return link ? [{ link, ticket }] : [];
  });
}

async function usableLinks(
  { links }: LinksPortDeps,
  check: IdentityCheck,
  unit: UnitOfWork,
): Promise<Affected[]> {
  return (await links.findUsable(check, check.at, unit)).map((link) => ({ link }));
}

function activityInputOf(
  { status, provider, userId }: IdentityCheck,
  ticket: CipTicketDocument | undefined,
): ActivityInput {
  const isVerified = status === 'verified';
  return {
    type: isVerified ? 'cip.verified' : 'cip.failed',
    actor: 'system',
    data: {
      userId,
      ...(ticket === undefined ? {} : { ticketId: ticket._id }),
      ...(provider === undefined ? {} : { provider }),
    },
    ...(isVerified ? {} : { error: 'The identity check failed.' }),
    ...(ticket === undefined ? {} : { since: ticket.createdAt }),
  };
}
