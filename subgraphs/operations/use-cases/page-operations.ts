import { z } from 'zod';
import {
  createdBetween,
  emptyPage,
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
import type { OperationsDeps } from '../deps.ts';
import { PARTNER_STATUSES, statusesBehind } from '../lifecycle.ts';
import type { OperationRecord } from '../store/model.ts';

/** The query of `GET /partner/operations` (document 3; names by decisions, section 4). */
export interface OperationPageQuery extends NumberedPageQuery {
  status?: Parameter;
  referenceId?: Parameter;
}

const querySchema = z.object({
  ...pageParameters,
  status: oneOf(PARTNER_STATUSES).optional(),
  referenceId: text.optional(),
});

/**
 * A page of the account's operations by number, newest first. Behind the end, and for an unknown user, it is empty.
 * Failure: INVALID_REQUEST, once for each bad value.
 */
export async function pageOperations(
  { operations, users }: Pick<OperationsDeps, 'operations' | 'users'>,
  { accountId }: Principal,
  query: OperationPageQuery,
): Promise<Result<NumberedPage<OperationRecord>>> {
  const read = readPageQuery(querySchema, query);
  if (!read.ok) {
    return read;
  }
  const { status, referenceId } = read.value;
  const user = referenceId === undefined ? undefined : await users.findByReference(accountId, referenceId);
  if (referenceId !== undefined && !user) {
    return succeed(emptyPage(read.value));
  }
  const createdAt = createdBetween(read.value);
  const filter = {
    accountId,
    ...(user && { userId: user.userId }),
    ...(status === undefined ? {} : { status: { $in: statusesBehind(status) } }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  return succeed(await operations.page(filter, read.value));
}
