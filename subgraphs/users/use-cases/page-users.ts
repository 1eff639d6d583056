import { z } from 'zod';
import {
  createdBetween,
  type NumberedPage,
  type NumberedPageQuery,
  oneOf,
  type Parameter,
  pageParameters,
  readPageQuery,
} from '../../graph/numbered-page.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { text } from '../../kernel/json/schemas.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { UsersDeps } from '../deps.ts';
import { CIP_STATUSES, type UserRecord } from '../user.ts';

/** The query of `GET /partner/users` (document 3; names by decisions, section 4). */
export interface UserPageQuery extends NumberedPageQuery {
  referenceId?: Parameter;
  cipStatus?: Parameter;
  blocked?: Parameter;
}

const querySchema = z.object({
  ...pageParameters,
  referenceId: text.optional(),
  cipStatus: oneOf(CIP_STATUSES).optional(),
  blocked: oneOf(['true', 'false']).optional(),
});

/**
 * A page of the account's users by number, newest first; past the end it is empty. Fails with INVALID_REQUEST, once for
 * each bad value.
 */
export async function pageUsers(
  { users }: Pick<UsersDeps, 'users'>,
  { accountId }: Principal,
  query: UserPageQuery,
): Promise<Result<NumberedPage<UserRecord>>> {
  const read = readPageQuery(querySchema, query);
  if (!read.ok) {
    return read;
  }
  const { referenceId, cipStatus, blocked } = read.value;
  const filter = {
    createdAt: createdBetween(read.value),
    referenceId,
    cipStatus: cipStatus && [cipStatus],
    blocked: blocked === undefined ? undefined : blocked === 'true',
  };
  return succeed(await users.page(accountId, filter, read.value));
}
