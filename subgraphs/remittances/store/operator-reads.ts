import type { Model, QueryFilter } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginateAll } from '../../graph/paginate.ts';
import { accountsOf } from '../../kernel/account.ts';
import { UNKNOWN_REQUEST } from '../../providers/withdrawal-figures.ts';
import { stuckBefore } from '../lifecycle.ts';
import type { RemittanceDocument } from './model.ts';

/**
 * Remittances that operators list. `STUCK`: in their phase for over 30 s. `WITHDRAWAL_UNKNOWN`: failed, and nobody knows whether
 * their payer holds the request.
 */
const OPERATOR_LISTS = ['STUCK', 'WITHDRAWAL_UNKNOWN'] as const;
type OperatorList = (typeof OPERATOR_LISTS)[number];

/** Which of them, of one partner or of all. */
export interface OperatorListing {
  readonly list: OperatorList;
  readonly tenantId?: string | undefined;
}

/**
 * A page of remittances for operators, the one accepted first being the first. An index that has only remittances in
 * progress, or only those whose payer may have been asked, serves it.
 * @throws GraphQLError BAD_USER_INPUT for a size out of 1 to 100, INVALID_CURSOR for a bad cursor
 */
export function listForOperators(
  model: Model<RemittanceDocument>,
  { list, tenantId }: OperatorListing,
  page: Page,
  now: Date,
): Promise<Connection<RemittanceDocument>> {
  const filter: QueryFilter<RemittanceDocument> =
    list === 'STUCK'
      ? { isOpen: true, status: 'IN_PROGRESS', phaseSince: { $lt: stuckBefore(now) } }
      : UNKNOWN_REQUEST;
  return paginateAll<RemittanceDocument, RemittanceDocument>(
    model,
    { ...filter, ...(tenantId !== undefined && { accountId: { $in: accountsOf([tenantId]) } }) },
    page,
    (remittance) => remittance,
    { field: 'createdAt', direction: 'asc' },
  );
}
