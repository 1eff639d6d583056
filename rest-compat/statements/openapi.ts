import { presentFailures } from '../request-money/errors.ts';
import { errorExamples, COMMON_EXAMPLES as OF_DOCUMENT_2 } from '../request-money/openapi-examples.ts';
import { describeCalls } from '../shared/openapi/calls.ts';
import {
  type OpenApiOperation,
  type OpenApiPart,
  type OpenApiPaths,
  PARTNER_KEY,
  text,
} from '../shared/openapi/document.ts';
import { withExamples } from '../shared/openapi/examples.ts';
import { LIST, READ, READ_CSV } from './calls.ts';
import { statementAmount, statementMovement, statementOf, statementPage } from './presenters.ts';

const HASHES = { hashBefore: '5e2a'.repeat(16), hash: 'c1f9'.repeat(16) };
const STATEMENT = {
  ...{ id: '2026-11-20-USD', period: 'day', name: '2026-11-20', currency: 'USD' },
  timeZone: 'America/Mexico_City',
  ...{ from: '2026-11-20T06:00:00.000Z', to: '2026-11-21T06:00:00.000Z' },
  opening: [
    { account: 'PARTNER_PAYABLE', amount: -105 },
    { account: 'PAYER_RECEIVABLE', amount: 105 },
  ],
  movements: [
    {
      ...{ kind: 'FUNDING', entries: 1 },
      amounts: [
        { account: 'FEE_INCOME', amount: -5 },
        { account: 'FX_POSITION', amount: -100 },
        { account: 'PARTNER_PAYABLE', amount: 105 },
        { account: 'PAYER_RECEIVABLE', amount: -105 },
        { account: 'PROVIDER_CLEARING', amount: 105 },
      ],
    },
  ],
  ...{ fees: 5, fx: -100 },
  closing: [
    { account: 'FEE_INCOME', amount: -5 },
    { account: 'FX_POSITION', amount: -100 },
    { account: 'PROVIDER_CLEARING', amount: 105 },
  ],
  ...{ entriesAfter: 1, lastEntry: 2, ...HASHES, createdAt: '2026-11-21T06:01:30.000Z' },
};
const WRONG_SIZE = presentFailures([
  { code: 'VALIDATION_FAILED', message: 'must be a whole number from 1 to 100', path: ['first'] },
]).body;

const COMMON_EXAMPLES = { ...OF_DOCUMENT_2, 403: errorExamples('INSUFFICIENT_SCOPE') };
const NOT_FOUND = { 404: errorExamples('STATEMENT_NOT_FOUND') };
const CALL_EXAMPLES = {
  listStatements: {
    answers: {
      200: { page: { statements: [STATEMENT], nextCursor: null } },
      422: { VALIDATION_FAILED: WRONG_SIZE },
    },
  },
  getStatement: { answers: { 200: { day: STATEMENT }, ...NOT_FOUND } },
  getStatementCsv: { answers: { 200: {}, ...NOT_FOUND } },
};
const CSV_HEAD = '"2026-11-20-USD","2026-11-20T06:00:00.000Z","2026-11-21T06:00:00.000Z","USD"';
/** The first rows of the statement above. */
const CSV = [
  '"statement","from","to","currency","section","entries","account","debit","credit"',
  `${CSV_HEAD},"OPENING","","PARTNER_PAYABLE","","105"`,
  `${CSV_HEAD},"OPENING","","PAYER_RECEIVABLE","105",""`,
  `${CSV_HEAD},"FUNDING","1","FEE_INCOME","","5"`,
]
  .map((row) => `${row}\r\n`)
  .join('');

const paths = () =>
  describeCalls([LIST, READ, READ_CSV], {
    tag: 'statements',
    security: PARTNER_KEY,
    pathParameters: { id: ['Id of the statement, such as `2026-11-20-USD`.'] },
    answers: {
      401: ['Unauthenticated', 'Missing or invalid key'],
      403: ['Refused', 'Missing scope'],
    },
    bodyAnswers: {},
    uncoded: ['Unauthenticated', 'NotFound', 'Unprocessable'],
  });

/** The answer of a file in place of that of JSON. */
function withFile(described: OpenApiPaths): OpenApiPaths {
  return Object.fromEntries(
    Object.entries(described).map(([path, methods]) => [
      path,
      path.endsWith('.csv')
        ? Object.fromEntries(Object.entries(methods).map(([method, call]) => [method, asFile(call)]))
        : methods,
    ]),
  );
}

function asFile(call: OpenApiOperation): OpenApiOperation {
  const content = { 'text/csv': { schema: text, examples: { day: { value: CSV } } } };
  const responses = Object.entries(call.responses).map(([status, response]) => [
    status,
    status === '200' ? { ...response, content } : response,
  ]);
  return { ...call, responses: Object.fromEntries(responses) };
}

/** `/v1/statements`, a part of document 2's description. */
export function statementsOpenApi(): OpenApiPart {
  return {
    paths: withFile(withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES)),
    schemas: {
      Statements: statementPage.schema,
      Statement: statementOf.schema,
      StatementMovement: statementMovement.schema,
      StatementAmount: statementAmount.schema,
    },
  };
}
