import { expect, test } from '@jest/globals';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import { DOCUMENTED_CODES } from './error-codes.ts';
import { readError as readErrorOf } from './rest-error.ts';

const readError = async (response: Response) => readErrorOf(response, await response.text());
const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Response.json(body, { status, headers: { 'x-request-id': 'r-1', ...headers } });

test.each([
  [409, { error: { code: 'INVALID_TRANSITION', message: 'm' } }, 'INVALID_TRANSITION', 'm'],
  [403, { code: 'OFAC_HIT', message: 'm' }, 'OFAC_HIT', 'm'],
  [401, { message: 'm' }, 'UNAUTHENTICATED', 'm'],
  [404, { error: 'not_found', message: 'm' }, 'NOT_FOUND', 'm'],
  [422, { message: 'm', details: [{ path: 'amount', message: 'd' }] }, 'VALIDATION_FAILED', 'm'],
  [422, { message: 'm', details: [], error: { code: 'ROUTE_NOT_AVAILABLE' } }, 'ROUTE_NOT_AVAILABLE', 'm'],
  [400, { reason: 'r', code: 'ERROR_TENANT_NOT_FOUND' }, 'ERROR_TENANT_NOT_FOUND', 'r'],
  [400, { reason: 'r' }, 'INVALID_REQUEST', 'r'],
  [
    404,
    { success: false, error: { code: 'LINK_NOT_FOUND', message: 'm', details: null } },
    'LINK_NOT_FOUND',
    'm',
  ],
  [418, { tea: true }, 'UNEXPECTED_ANSWER', 'The server answers with status 418'],
] as const)('the error of %i %j is %s', async (status, body, code, message) => {
  expect(await readError(answer(status, body))).toMatchObject({
    status,
    code,
    message,
    body,
    requestId: 'r-1',
  });
});

test('a body without a code has the one of X-Error-Code', async () => {
  const headers = { 'x-error-code': 'REQUEST_MONEY_NOT_FOUND' };
  const bare = await readError(answer(404, { error: 'not_found', message: 'm' }, headers));
  expect(bare.code).toBe('REQUEST_MONEY_NOT_FOUND');
  const coded = await readError(answer(403, { code: 'OFAC_HIT', message: 'm' }, headers));
  expect(coded.code).toBe('OFAC_HIT');
});

const DETAILS = [{ path: 'limit', message: 'must be an integer of 1 to 100' }, 7];
test.each([
  { success: false, error: { code: 'INVALID_REQUEST', message: 'm', details: DETAILS } },
  { message: 'm', details: DETAILS },
  { message: 'm', details: DETAILS, error: { code: 'ROUTE_NOT_AVAILABLE' } },
])('an error has the faults of the request, and the wait that the server wants: %j', async (body) => {
  const { issues, retryAfterMs } = await readError(answer(400, body, { 'retry-after': '5' }));
  expect([issues, retryAfterMs]).toEqual([[DETAILS[0]], 5_000]);
});

test('the page of a proxy is the body of an error as it stands', async () => {
  const error = await readError(new Response('<html>', { status: 502 }));
  expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', body: '<html>', requestId: undefined });
});

/** Codes whose REST status only GraphQL over HTTP uses. */
const OF_GRAPHQL =
  /^(?:WEBHOOK_|API_KEY_|APPROVAL_|BROWSER_TOKEN_|CONSOLE_SESSION_|DISCREPANCY_|BAD_USER_INPUT$)/;

test('the documented codes are those of the catalogue', () => {
  const codes = Object.entries(CATALOGUE)
    .filter(
      ([code, { status }]) => Object.keys(status).some((one) => one !== 'graphql') && !OF_GRAPHQL.test(code),
    )
    .map(([code]) => code);
  expect([...DOCUMENTED_CODES]).toEqual(codes.toSorted());
});
