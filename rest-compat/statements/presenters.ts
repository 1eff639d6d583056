import type { StatementsQuery } from '../../schema/operations/types.ts';
import { JournalEntryKind, LedgerAccount, StatementPeriod } from '../../schema/operations/types.ts';
import { shape } from '../../subgraphs/kernel/json/shape.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { refTo, text, time } from '../shared/openapi/document.ts';
import { exactNumber } from '../shared/reply.ts';

type Page = StatementsQuery['statements'];
/** A statement, as the documents select it. */
export type Statement = Page['nodes'][number];

const number = { type: 'number' };
const integer = { type: 'integer', minimum: 0 };
const listOf = (items: object, description: string) => ({ type: 'array', items, description });

/** An amount in a ledger account: the schema `StatementAmount`. */
export const statementAmount = shape<Statement['opening'][number]>({
  account: [{ ...text, enum: Object.values(LedgerAccount) }, ({ account }) => account],
  amount: [
    { ...number, description: 'A debit is above 0, a credit below.' },
    ({ amount }) => exactNumber(amount),
  ],
});
const AMOUNT = refTo('StatementAmount');

/** The entries of a kind: the schema `StatementMovement`. */
export const statementMovement = shape<Statement['movements'][number]>({
  kind: [{ ...text, enum: Object.values(JournalEntryKind) }, ({ kind }) => kind],
  entries: [{ ...integer, description: 'Number of journal entries.' }, ({ entries }) => entries],
  amounts: [listOf(AMOUNT, 'Their sums.'), ({ amounts }) => amounts.map(statementAmount)],
});

/** A statement: the schema `Statement`. */
export const statementOf = shape<Statement>({
  id: [text, ({ id }) => id],
  period: [{ ...text, enum: inLowerCase(StatementPeriod) }, ({ period }) => period.toLowerCase()],
  name: [{ ...text, description: 'The day, `YYYY-MM-DD`, or the month, `YYYY-MM`.' }, ({ name }) => name],
  currency: [{ ...text, description: 'Currency of all amounts, ISO 4217.' }, ({ currency }) => currency],
  timeZone: [{ ...text, description: 'IANA time zone of the period.' }, ({ timeZone }) => timeZone],
  from: [time, ({ from }) => from],
  to: [{ ...time, description: 'The first instant after the period.' }, ({ to }) => to],
  opening: [listOf(AMOUNT, 'Balances when the period began.'), ({ opening }) => opening.map(statementAmount)],
  movements: [
    listOf(refTo('StatementMovement'), 'Changes by kind of journal entry.'),
    ({ movements }) => movements.map(statementMovement),
  ],
  fees: [{ ...number, description: 'Fees of the period.' }, ({ fees }) => exactNumber(fees)],
  fx: [
    { ...number, description: 'Change of `FX_POSITION`: above 0, the currency was bought.' },
    ({ fx }) => exactNumber(fx),
  ],
  closing: [listOf(AMOUNT, 'Balances when the period ended.'), ({ closing }) => closing.map(statementAmount)],
  entriesAfter: [
    { ...integer, description: 'Number of the last journal entry before the period.' },
    ({ entriesAfter }) => entriesAfter,
  ],
  lastEntry: [
    { ...integer, description: 'Number of the last journal entry in the period.' },
    ({ lastEntry }) => lastEntry,
  ],
  hashBefore: [{ ...text, description: 'Hash of `entriesAfter`.' }, ({ hashBefore }) => hashBefore],
  hash: [{ ...text, description: 'Hash of `lastEntry`.' }, ({ hash }) => hash],
  createdAt: [{ ...time, description: 'When it was issued.' }, ({ createdAt }) => createdAt],
});

/** A page of statements: the schema `Statements`. */
export const statementPage = shape<Page>({
  statements: [
    listOf(refTo('Statement'), 'The one issued last first.'),
    ({ nodes }) => nodes.map(statementOf),
  ],
  nextCursor: [
    {
      type: ['string', 'null'],
      description: 'Send it as `after` to get the next page; null on the last one.',
    },
    ({ pageInfo: { hasNextPage, endCursor } }) => (hasNextPage ? endCursor : null),
    'nullable',
  ],
});
