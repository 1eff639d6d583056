import type { Connection } from 'mongoose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { createStatementModels } from '../../subgraphs/ledger/statements/model.ts';

const DAY_MS = 86_400_000;

/**
 * Stores the statement of a day in USD: an account has none before its first day has ended.
 * @param id such as `1999-12-31-USD`
 */
export async function storeStatement(
  connection: Connection,
  accountId: AccountId,
  id: string,
): Promise<void> {
  const name = id.slice(0, 'YYYY-MM-DD'.length);
  const from = new Date(name);
  const to = new Date(from.getTime() + DAY_MS);
  await createStatementModels(connection).statements.create({
    ...{ _id: `${accountId}|${id}`, accountId, id, period: 'day', name, currency: 'USD', timeZone: 'UTC' },
    ...{ from, to, createdAt: new Date(to.getTime() + 90_000) },
    opening: [],
    movements: [
      {
        ...{ kind: 'CLAIM', entries: 1 },
        amounts: [
          { account: 'PARTNER_PAYABLE', amount: '-10.50' },
          { account: 'PAYER_RECEIVABLE', amount: '10.50' },
        ],
      },
    ],
    ...{ fees: '0', fx: '0' },
    closing: [
      { account: 'PARTNER_PAYABLE', amount: '-10.50' },
      { account: 'PAYER_RECEIVABLE', amount: '10.50' },
    ],
    ...{ entriesAfter: 0, lastEntry: 1, hashBefore: '0'.repeat(64), hash: 'a'.repeat(64) },
  });
}
