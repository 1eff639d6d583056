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
import type { LinksDeps } from '../deps.ts';
import { LINK_STATUSES, LISTED_VISIBILITIES } from '../lifecycle.ts';
import type { Link } from '../link.ts';

/** The query of `GET /partner/links` (document 3; names by decisions, section 4). */
export interface LinkPageQuery extends NumberedPageQuery {
  visibility?: Parameter;
  status?: Parameter;
  referenceId?: Parameter;
}

const querySchema = z.object({
  ...pageParameters,
  visibility: oneOf(LISTED_VISIBILITIES).optional(),
  status: oneOf(LINK_STATUSES).optional(),
  referenceId: text.optional(),
});

/**
 * A page of the account's links by number, newest first; past the end it is empty. Fails with INVALID_REQUEST, once for
 * each bad value.
 */
export async function pageLinks(
  deps: Pick<LinksDeps, 'links' | 'accountClock'>,
  { accountId }: Principal,
  query: LinkPageQuery,
): Promise<Result<NumberedPage<Link>>> {
  const read = readPageQuery(querySchema, query);
  if (!read.ok) {
    return read;
  }
  const { visibility, status, referenceId } = read.value;
  const filter = {
    visibility,
    referenceId,
    status: status === undefined ? undefined : [status],
    createdAt: createdBetween(read.value),
  };
  return succeed(await deps.links.page(accountId, filter, deps.accountClock(accountId), read.value));
}
