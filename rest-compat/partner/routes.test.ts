import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Principal } from '../../subgraphs/kernel/principal.ts';
import type { RunDocument } from '../shared/documents.ts';
import { CALLS } from './calls.ts';
import { partnerRoutes } from './routes.ts';

const PRINCIPAL: Principal = {
  accountId: 'acme/sandbox',
  keyId: 'key_1',
  scopes: ['partner', 'partner_admin'],
};

/** The internal error of decisions, section 4, "Codes". */
const INTERNAL_ERROR =
  /^\{"success":false,"error":\{"code":"INTERNAL_ERROR","message":"[^"]+","details":null\}\}$/;

let app: FastifyInstance;
let logged: string[];
afterEach(() => app.close());

async function serve(answer: () => Promise<ExecutionResult>): Promise<void> {
  // The graph's answers here may differ from the documented ones.
  const run = answer as RunDocument;
  logged = [];
  const stream = { write: (line: string) => void logged.push(line) };
  app = Fastify({ exposeHeadRoutes: false, logger: { level: 'warn', stream } });
  app.decorateRequest('principal', null);
  await app.register(partnerRoutes, { run, apiKeys: { authenticate: async () => PRINCIPAL } });
}

const failing = (code?: string): ExecutionResult => ({
  errors: [
    new GraphQLError('The secret of the database', { extensions: code === undefined ? {} : { code } }),
  ],
});
const FAILURES: readonly [name: string, run: () => Promise<ExecutionResult>][] = [
  ['an error without a code', async () => failing()],
  ['an internal error', async () => failing('INTERNAL_SERVER_ERROR')],
  ['an error of the gateway', async () => failing('RESPONSE_TOO_LARGE')],
  ['a code of another surface', async () => failing('BAD_USER_INPUT')],
  ['a document that cannot be run', () => Promise.reject(new Error('The secret of the database'))],
];

test.each(FAILURES)('%s: 500 INTERNAL_ERROR from every call, without details', async (_name, run) => {
  await serve(run);
  const calls = [...CALLS, { method: 'GET', path: '/partner/links/:linkId/id-image' } as const];
  for (const { method, path } of calls) {
    const url = path.replaceAll(/:\w+/g, 'some');
    const { statusCode, headers, body } = await app.inject({ method, url });
    expect([url, statusCode, headers['content-type'], body]).toEqual([
      url,
      500,
      'application/json',
      expect.stringMatching(INTERNAL_ERROR),
    ]);
    expect(body).not.toContain('secret');
  }
});

test.each(['SERVICE_UNAVAILABLE', 'SUBGRAPH_UNREACHABLE', 'SUBGRAPH_TIMEOUT', 'OPERATION_TIMEOUT'])(
  '%s: 503 SERVICE_UNAVAILABLE with Retry-After from every call',
  async (code) => {
    await serve(async () => failing(code));
    for (const { method, path } of CALLS) {
      const url = path.replaceAll(/:\w+/g, 'some');
      const { statusCode, headers, body } = await app.inject({ method, url });
      expect([url, statusCode, headers['retry-after'], body]).toEqual([
        url,
        503,
        '5',
        expect.stringContaining('"code":"SERVICE_UNAVAILABLE"'),
      ]);
    }
  },
);

test.each<[name: string, data: Record<string, unknown> | null, reason: string]>([
  ['a payload that is missing', { createLinkFromJson: null }, 'null'],
  ['a payload without result and errors', payloadOf([]), 'A mutation answered neither a result nor errors'],
  [
    'an error that the catalogue does not have',
    payloadOf([{ code: 'NO_SUCH_CODE', message: 'The secret', path: null }]),
    'The catalogue has no error NO_SUCH_CODE',
  ],
  ['no data', null, 'A document answered neither data nor errors'],
])('%s: 500 INTERNAL_ERROR, and the log says why', async (_name, data, reason) => {
  await serve(async () => ({ data }));
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/partner/links', payload: '{}' });
  expect([statusCode, body]).toEqual([500, expect.stringMatching(INTERNAL_ERROR)]);
  expect(logged.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'rest.request_failed',
      err: expect.objectContaining({ message: expect.stringContaining(reason) }),
    }),
  ]);
});

function payloadOf(userErrors: readonly object[]) {
  return { createLinkFromJson: { link: null, userErrors } };
}
