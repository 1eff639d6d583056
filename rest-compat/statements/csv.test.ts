import { expect, test } from '@jest/globals';
import { JournalEntryKind, LedgerAccount, StatementPeriod } from '../../schema/operations/types.ts';
import { toCsv } from './csv.ts';

test('a statement as CSV has a row for each amount, debits and credits apart', () => {
  const statement = {
    ...{ id: '2026-11-20-USD', period: StatementPeriod.DAY, name: '2026-11-20', currency: 'USD' },
    ...{ timeZone: 'UTC', from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' },
    opening: [{ account: LedgerAccount.FEE_INCOME, amount: '-0.50' }],
    movements: [
      {
        kind: JournalEntryKind.FUNDING,
        entries: 2,
        amounts: [
          { account: LedgerAccount.FEE_INCOME, amount: '-1' },
          { account: LedgerAccount.PROVIDER_CLEARING, amount: '12345678901234567890.12' },
        ],
      },
    ],
    ...{ fees: '1', fx: '0', closing: [{ account: LedgerAccount.FEE_INCOME, amount: '-1.5' }] },
    ...{ entriesAfter: 1, lastEntry: 3, hashBefore: 'aa', hash: 'bb', createdAt: '2026-11-21T00:01:00.000Z' },
  };
  const head = '"2026-11-20-USD","2026-11-20T00:00:00.000Z","2026-11-21T00:00:00.000Z","USD"';
  expect(toCsv(statement).split('\r\n')).toEqual([
    '"statement","from","to","currency","section","entries","account","debit","credit"',
    `${head},"OPENING","","FEE_INCOME","","0.50"`,
    `${head},"FUNDING","2","FEE_INCOME","","1"`,
    `${head},"FUNDING","2","PROVIDER_CLEARING","12345678901234567890.12",""`,
    `${head},"CLOSING","","FEE_INCOME","","1.5"`,
    '',
  ]);
});
