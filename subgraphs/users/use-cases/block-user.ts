import { z } from 'zod';
import { fail, type Result, succeed } from '../../platform/errors/result.ts';
import { readBody } from '../../platform/json/read-body.ts';
import { bodyError, isWellFormed, rejectLosslessNumber, string } from '../../platform/json/schemas.ts';
import type { Principal } from '../../platform/principal.ts';
import type { UsersDeps } from '../deps.ts';
import type { BlockState, UserRecord } from '../store/user-repository.ts';

const LONGEST_REASON = 500;

const reason = string()
  .refine((value) => [...value].length <= LONGEST_REASON, `must have at most ${LONGEST_REASON} characters`)
  .refine(isWellFormed, 'must be well-formed Unicode')
  .meta({ maxLength: LONGEST_REASON, description: 'Kept for audit.' });

/** `POST /partner/users/{userId}/block` (document 3). */
export const blockSchema = rejectLosslessNumber(z.object({ reason: reason.optional() }, bodyError));

/**
 * Blocks a user: no new links, no transfers. A blocked user keeps the time and the reason of the first block. Refusals,
 * first to last: INVALID_REQUEST, USER_NOT_FOUND.
 */
export async function blockUser(
  deps: Pick<UsersDeps, 'users' | 'events' | 'transaction' | 'clock'>,
  { tenantId }: Principal,
  userId: string,
  body: unknown,
): Promise<Result<UserRecord>> {
  const read = readBody(blockSchema, body);
  return read.ok
    ? setBlock(deps, { tenantId, userId }, (at) => ({
        blocked: true,
        blockedAt: at,
        ...(read.value.reason === undefined ? {} : { blockedReason: read.value.reason }),
      }))
    : read;
}

/** Takes a block back, with what was told of it; of a user who is not blocked nothing changes. Refusal: USER_NOT_FOUND. */
export async function unblockUser(
  deps: Pick<UsersDeps, 'users' | 'events' | 'transaction' | 'clock'>,
  { tenantId }: Principal,
  userId: string,
): Promise<Result<UserRecord>> {
  return setBlock(deps, { tenantId, userId }, () => ({ blocked: false }));
}

async function setBlock(
  { users, events, transaction, clock }: Pick<UsersDeps, 'users' | 'events' | 'transaction' | 'clock'>,
  { tenantId, userId }: { tenantId: string; userId: string },
  stateAt: (at: Date) => BlockState,
): Promise<Result<UserRecord>> {
  const set = await transaction(async (session): Promise<Result<UserRecord>> => {
    const user = await users.find(tenantId, userId, session);
    if (!user) {
      return fail('USER_NOT_FOUND');
    }
    const at = clock();
    const state = stateAt(at);
    if (user.blocked === state.blocked) {
      return succeed(user);
    }
    const after = await users.setBlock(user, state, at, session);
    await events.append(
      [
        {
          tenantId,
          entity: 'user',
          entityId: userId,
          version: after.version ?? 1,
          type: after.blocked ? 'user.blocked' : 'user.unblocked',
          previousStatus: statusOf(user),
          status: statusOf(after),
          occurredAt: at,
        },
      ],
      session,
    );
    return succeed(after);
  });
  events.wake();
  return set;
}

/** `user.status` of document 3. */
function statusOf({ blocked }: Pick<UserRecord, 'blocked'>): 'active' | 'blocked' {
  return blocked ? 'blocked' : 'active';
}
