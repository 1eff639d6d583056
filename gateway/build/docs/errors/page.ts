import {
  presentError as presentPartner,
  presentFailures as presentPartnerFailures,
} from '../../../../rest-compat/partner/errors.ts';
import { presentError as presentRemittance } from '../../../../rest-compat/remittance/errors.ts';
import {
  presentError as presentRequestMoney,
  presentFailures as presentRequestMoneyFailures,
} from '../../../../rest-compat/request-money/errors.ts';
import {
  CATALOGUE,
  type CodeOf,
  type ErrorCode,
  type ErrorRow,
} from '../../../../subgraphs/kernel/errors/catalogue.ts';
import { CATALOGUE_WORDS } from './catalogue-words.ts';
import { GRAPHQL_WORDS, type GraphQLWords } from './graphql-words.ts';
import { CLIENT_WORDS, CLOSE_WORDS, WEBHOOK_WORDS } from './live-words.ts';
import type { ErrorWords } from './words.ts';

/** Path of the page of all errors: Markdown that `npm run schema` writes. */
export const ERRORS_PAGE = 'gateway/docs/errors.md';

const INTRODUCTION = `# Errors

Every error code, with its cause, the fix, and an example. Branch on codes, never on messages: messages may change.
Keep the \`x-request-id\` of a failed answer for your operator.

| Where | Shape of an error |
|---|---|
| \`/v1/request-money\` | \`{"error": {"code", "message"}}\`; with 422 \`{"message", "details"}\`; 401 \`{"message"}\`; 404 \`{"error": "not_found", "message"}\`; a screening hit \`{"code", "message"}\` |
| \`/v1/user/…\` | \`{"reason"}\`, with \`code\` in answers of the atomic call. The same codes are the \`errorCode\` of its outcome |
| \`/partner/…\` | \`{"success": false, "error": {"code", "message", "details"}}\` |
| \`/graphql\`, business errors of a mutation | \`userErrors: [{code, message, path}]\` in its payload |
| \`/graphql\`, everything else | \`errors: [{message, path, extensions: {code}}]\` |

Where a body of \`/v1/…\` has no \`code\`, the header \`X-Error-Code\` has it.
With \`Accept: application/graphql-response+json\` the HTTP status of \`/graphql\` shows the kind of error: 294 for data with errors, 400 for
a document that cannot be parsed, 422 for other requests that cannot run. Without it every well-formed request gets 200.
`;

/** Makes the page. */
export function errorsPage(): string {
  const shared = Object.entries(CATALOGUE).map(([code, row]) => catalogueEntry(code as ErrorCode, row));
  const graphql = Object.entries(GRAPHQL_WORDS).map(([code, words]) => graphqlEntry(code, words));
  return `<!-- Made by npm run schema from gateway/build/docs/errors. -->
${INTRODUCTION}
## REST calls and mutations

${shared.join('\n')}
## GraphQL requests

${graphql.join('\n')}
## The client library

A \`LiveError\` of \`remitgraph/client\` has one of these as its \`code\`, or a code of the server.

${table('Code', CLIENT_WORDS)}
## WebSocket close codes

${table('Close', CLOSE_WORDS)}
## Webhook signatures

\`verifyWebhook\` throws a \`WebhookVerificationError\` with one of these codes. The verifiers in other languages use the same codes.

${table('Code', WEBHOOK_WORDS)}`;
}

const SURFACES: Readonly<Record<keyof ErrorRow['status'], string>> = {
  requestMoney: '`/v1/request-money`, `/v1/quotes`, `/v1/statements`, `/v1/sandbox`, `/v1/internal`',
  partner: '`/partner`',
  remittance: '`/v1/user`',
  graphql: '`/graphql`',
};

function catalogueEntry(code: ErrorCode, { status, message }: ErrorRow): string {
  const words = CATALOGUE_WORDS[code];
  const where = (Object.keys(SURFACES) as (keyof typeof SURFACES)[])
    .filter((surface) => status[surface] !== undefined)
    .map((surface) => `${SURFACES[surface]} ${status[surface]}`);
  const inGraphQL = status.graphql === undefined ? ', `userErrors`' : '';
  return entry(
    code,
    `${where.join(', ')}${inGraphQL}`,
    { cause: message, ...words },
    example(code, status, message),
  );
}

/** Codes whose answers list issues, with the path of an example issue. */
const LISTED: Readonly<Partial<Record<ErrorCode, readonly string[]>>> = {
  VALIDATION_FAILED: ['requestData', 'name', 'firstName'],
  INVALID_REQUEST: ['linkId'],
  INSUFFICIENT_USER_DATA: ['userData', 'dob'],
};

/** The answer of a surface that has the error, as its own code makes it. */
function example(code: ErrorCode, status: ErrorRow['status'], message: string): unknown {
  const path = LISTED[code];
  if (path !== undefined) {
    const present = status.requestMoney === undefined ? presentPartnerFailures : presentRequestMoneyFailures;
    return present([{ code, message: 'is required', path }]).body;
  }
  if (status.requestMoney !== undefined) {
    return presentRequestMoney(code).body;
  }
  if (status.partner !== undefined) {
    return presentPartner(code as CodeOf<'partner'>).body;
  }
  return status.remittance === undefined ? inErrors(code, message) : presentRemittance(code, 'coded').body;
}

function graphqlEntry(code: string, words: GraphQLWords): string {
  const where = words.status === undefined ? '`/graphql`' : `\`/graphql\` ${words.status}`;
  return entry(code, where, { cause: words.message, ...words }, inErrors(code, words.message));
}

function inErrors(code: string, message: string) {
  return { errors: [{ message, extensions: { code } }] };
}

function entry(code: string, where: string, { cause = '', fix }: ErrorWords, shown: unknown): string {
  return `### ${code}

Where: ${where}. ${cause.replaceAll('<', '\\<')}

**What to do:** ${fix}

\`\`\`json
${JSON.stringify(shown)}
\`\`\`
`;
}

function table(head: string, rows: Readonly<Record<string | number, ErrorWords>>): string {
  const lines = Object.entries(rows).map(
    ([code, { cause = '', fix }]) => `| \`${code}\` | ${cause} | ${fix} |`,
  );
  return `| ${head} | Cause | What to do |\n|---|---|---|\n${lines.join('\n')}\n`;
}
