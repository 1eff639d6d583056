import type { ClientSession } from 'mongoose';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import type { IdentityCheck, UsersPort } from '../../users/index.ts';
import type { ActivityInput } from '../activity.ts';
import type { UpdateCip } from '../commands/link-commands.ts';
import type { LinksDeps, LinksPortDeps } from '../deps.ts';
import type { CheckedUser, Link } from '../link.ts';
import type { CipTicketDocument } from '../store/model.ts';
import { recordChanges } from './record-change.ts';

/**
 * Sets the state of a user's identity check, whatever the tenant: for the platform's own back end only, which may also
 * take a `verified` back. Fails with USER_NOT_FOUND.
 */
export async function updateCip(
  deps: LinksDeps,
  userId: string,
  { status, provider, result }: UpdateCip,
): Promise<Result<CheckedUser>> {
  const tenantId = await deps.users.tenantOf(userId);
  if (tenantId === undefined) {
    return fail('USER_NOT_FOUND');
  }
  const check: IdentityCheck = {
    tenantId,
    userId,
    status,
    ...(provider === undefined ? {} : { provider }),
    ...(result === undefined ? {} : { result }),
    overrides: true,
    at: deps.clock(),
  };
  const recorded = await deps.transaction((session) => recordIdentityCheck(deps, check, session));
  deps.events.wake();
  return recorded ? succeed({ userId, state: recorded.state }) : fail('USER_NOT_FOUND');
}

/**
 * Records the state of a user's identity check, and writes a result into the timelines of the links that wait for one,
 * or else of all the user's links that still work. When a `verified` user is verified again, only the links that wait
 * get an entry.
 */
export async function recordIdentityCheck(
  deps: LinksPortDeps,
  check: IdentityCheck,
  session: ClientSession,
): ReturnType<UsersPort['recordIdentityCheck']> {
  const recorded = await deps.users.recordIdentityCheck(check, session);
  if (!recorded || check.status === 'pending') {
    return recorded;
  }
  const waiting = await closeTickets(deps, check, session);
  const isNews = check.status === 'failed' || recorded.before !== 'verified';
  const affected = waiting.length > 0 || !isNews ? waiting : await usableLinks(deps, check, session);
  const changes = affected.map(({ link, ticket }) => ({
    link,
    activityInput: activityInputOf(check, ticket),
    at: check.at,
  }));
  await recordChanges(deps, changes, session);
  return recorded;
}

interface Affected {
  link: Link;
  /** The newest one of the link. */
  ticket?: CipTicketDocument;
}

async function closeTickets(
  { tickets, links }: LinksPortDeps,
  { tenantId, userId, at }: IdentityCheck,
  session: ClientSession,
): Promise<Affected[]> {
  const open = await tickets
    .find({ tenantId, userId, isOpen: true })
    .sort({ createdAt: 1 })
    .session(session)
    .lean();
  if (open.length === 0) {
    return [];
  }
  await tickets.updateMany(
    { _id: { $in: open.map(({ _id }) => _id) } },
    { $set: { isOpen: false, closedAt: at } },
    { session },
  );
  const newest = new Map(open.map((ticket) => [ticket.linkId, ticket]));
  const found = await links.findMany(tenantId, [...newest.keys()], session);
  return [...newest].flatMap(([linkId, ticket]) => {
    const link = found.get(linkId);
    return link ? [{ link, ticket }] : [];
  });
}

async function usableLinks(
  { links }: LinksPortDeps,
  check: IdentityCheck,
  session: ClientSession,
): Promise<Affected[]> {
  return (await links.findUsable(check, check.at, session)).map((link) => ({ link }));
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
