import type { QueryFilter } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { ofAccount } from '../../kernel/database/of-account.ts';
import type { StatementDocument, StatementModels } from './model.ts';

/** The reading side of statements. Every read is limited to an account. */
export interface StatementReader {
  /** Statements, those issued last first. */
  list(
    accountId: AccountId,
    filter: QueryFilter<StatementDocument>,
    page: Page,
  ): Promise<Connection<StatementDocument>>;
  /** The statement with this id; undefined when there is none. */
  find(accountId: AccountId, id: string): Promise<StatementDocument | undefined>;
}

export function createStatementReader({ statements }: StatementModels): StatementReader {
  return {
    list: (accountId, filter, page) => paginate(statements, ofAccount(accountId, filter), page, (one) => one),
    find: async (accountId, id) =>
      (await statements.findOne({ _id: `${accountId}|${id}`, accountId }).lean()) ?? undefined,
  };
}
