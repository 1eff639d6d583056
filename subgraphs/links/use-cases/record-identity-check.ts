import type { ClientSession } from 'mongoose';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { readBody } from '../../platform/json/read-body.ts';
import type { CipState, IdentityCheck, UsersPort } from '../../users/index.ts';
import type { ActivityInput } from '../activity.ts';
import { updateCipSchema } from '../commands/bodies.ts';
import type { LinksDeps, LinksPortDeps } from '../deps.ts';
import type { Link } from '../store/link-repository.ts';
import type { CipTicketDocument } from '../store/model.ts';
import { recordChanges } from './record-change.ts';

/** A user and how the identity check stands. */
export interface CheckedUser {
  userId: string;
  state: CipState;
}

/**
 * Sets how the identity check of a user of whatever tenant stands: for the platform's own back end only, whose word also
 * takes a `verified` back. Refusals: VALIDATION_FAILED, USER_NOT_FOUND.
 */
export async function updateCip(
  deps: LinksDeps,
  userId: string,
  body: unknown,
): Promise<Result<CheckedUser>> {
  const read = readBody(updateCipSchema, body, 'VALIDATION_FAILED');
  if (!read.ok) {
    return read;
  }
  const tenantId = await deps.users.tenantOf(userId);
  if (tenantId === undefined) {
    return fail('USER_NOT_FOUND');
  }
  const { status, provider, result } = read.value;
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
 * Records how an identity check of a user stands, and tells a result to the links that wait for one, or else to all of
 * the user's links that still work. A `verified` user who is verified again is told to none but those that wait.
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
  const told = waiting.length > 0 || !isNews ? waiting : await usableLinks(deps, check, session);
  const changes = told.map(({ link, ticket }) => ({
    link,
    activityInput: activityInputOf(check, ticket),
    at: check.at,
  }));
  await recordChanges(deps, changes, session);
  return recorded;
}

interface Told {
  link: Link;
  /** The newest one of the link. */
  ticket?: CipTicketDocument;
}

async function closeTickets(
  { tickets, links }: LinksPortDeps,
  { tenantId, userId, at }: IdentityCheck,
  session: ClientSession,
): Promise<Told[]> {
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
): Promise<Told[]> {
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
