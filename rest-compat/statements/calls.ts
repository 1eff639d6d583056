import { StatementPeriod } from '../../schema/operations/types.ts';
import type { Failure } from '../../subgraphs/kernel/errors/result.ts';
import { isCurrency } from '../../subgraphs/kernel/money/iso.ts';
import type { Call } from '../shared/call.ts';
import { inLowerCase } from '../shared/enum-names.ts';
import { type Answers, queryParameter } from '../shared/openapi/document.ts';
import { foundOutcome, success } from '../shared/outcome.ts';
import { pathOf, queryOf, queryValue, type RestRequest } from '../shared/request.ts';
import { toCsv } from './csv.ts';
import { statementOf, statementPage } from './presenters.ts';

const LARGEST_PAGE = 100;
const PERIODS = Object.values(StatementPeriod);

const PARAMETERS = [
  queryParameter('first', 'Most statements of the page.', {
    ...{ type: 'integer', minimum: 1, maximum: LARGEST_PAGE, default: 20 },
  }),
  queryParameter('after', 'Only statements behind this `nextCursor`.'),
  queryParameter('period', 'Only statements of days, or of months.', {
    ...{ type: 'string', enum: inLowerCase(StatementPeriod) },
  }),
  queryParameter('currency', 'Only statements in this currency, ISO 4217.'),
];
const readQuery = queryOf(PARAMETERS);
const periodOf = (text: string | null) => PERIODS.find((one) => one.toLowerCase() === text);

/** The issues of the query of a list; none for a valid one. The graph checks the cursor. */
export function issuesOf(request: RestRequest): Failure[] {
  const { first, period, currency } = readQuery(request);
  const size = first === null ? 1 : Number(first);
  const issues: readonly (readonly [name: string, isWrong: boolean, message: string])[] = [
    [
      'first',
      first !== null && (!/^\d{1,3}$/.test(first) || size < 1 || size > LARGEST_PAGE),
      `must be a whole number from 1 to ${LARGEST_PAGE}`,
    ],
    ['period', period !== null && periodOf(period) === undefined, 'must be day or month'],
    ['currency', currency !== null && !isCurrency(currency), 'must be a currency of ISO 4217'],
  ];
  return issues.flatMap(([name, isWrong, message]) =>
    isWrong ? [{ code: 'VALIDATION_FAILED', message, path: [name] } as const] : [],
  );
}

/** Lists statements. Its query has no {@link issuesOf}. */
export const LIST: Call<'statements'> = {
  method: 'GET',
  path: '/v1/statements',
  operationId: 'listStatements',
  summary: 'Lists statements, the one issued last first',
  parameters: PARAMETERS,
  answers: {
    200: ['Statements', 'One page'],
    422: ['Unprocessable', 'The issues of the parameters'],
  },
  document: 'statements',
  variables: (request) => {
    const { first, after, currency } = readQuery(request);
    const period = periodOf(queryValue(request, 'period')) ?? null;
    return { first: first === null ? null : Number(first), after, where: { period, currency } };
  },
  present: ({ statements }) => success(statementPage(statements)),
};

const UNKNOWN: Answers = { 404: ['NotFound', 'STATEMENT_NOT_FOUND: unknown id'] };

/** Reads a statement. */
export const READ: Call<'statement'> = {
  method: 'GET',
  path: '/v1/statements/:id',
  operationId: 'getStatement',
  summary: 'Reads a statement',
  answers: { 200: ['Statement', 'The statement, which never changes'], ...UNKNOWN },
  document: 'statement',
  variables: pathOf('id'),
  present: ({ statement }) => foundOutcome(statement, statementOf, 'STATEMENT_NOT_FOUND'),
};

/** Reads a statement as a file. */
export const READ_CSV: Call<'statement'> = {
  ...READ,
  path: '/v1/statements/:id.csv',
  operationId: 'getStatementCsv',
  summary: 'Reads a statement as a CSV file',
  present: ({ statement }) => foundOutcome(statement, toCsv, 'STATEMENT_NOT_FOUND'),
};
