import { afterEach, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { type ExecutionResult, GraphQLError } from 'graphql';
import type { Principal } from '../../subgraphs/platform/principal.ts';
import { CALLS } from './calls.ts';
import { partnerRoutes } from './routes.ts';

const PRINCIPAL: Principal = {
  tenantId: 'acme',
  keyId: 'key_1',
  scopes: ['partner', 'partner_admin'],
  environment: 'sandbox',
};

/** What "Codes" of decisions, section 4, has for a fault of ours. */
const FAULT = /^\{"success":false,"error":\{"code":"INTERNAL_ERROR","message":"[^"]+","details":null\}\}$/;

let app: FastifyInstance;
afterEach(() => app.close());

async function serve(run: () => Promise<ExecutionResult>): Promise<void> {
  app = Fastify({ exposeHeadRoutes: false });
  app.decorateRequest('principal', null);
  await app.register(partnerRoutes, { run, apiKeys: { authenticate: async () => PRINCIPAL } });
}

const failing = (code?: string): ExecutionResult => ({
  errors: [new GraphQLError('The secret of the store', { extensions: code === undefined ? {} : { code } })],
});
const FAULTS: readonly [name: string, run: () => Promise<ExecutionResult>][] = [
  ['an error without a code', async () => failing()],
  ['an error of ours', async () => failing('INTERNAL_SERVER_ERROR')],
  ['an error of the gateway', async () => failing('OPERATION_TIMEOUT')],
  ['a code of another surface', async () => failing('BAD_USER_INPUT')],
  ['a document that cannot be run', () => Promise.reject(new Error('The secret of the store'))],
];

test.each(FAULTS)('%s: 500 INTERNAL_ERROR from every call, and nothing more is told', async (_name, run) => {
  await serve(run);
  const calls = [...CALLS, { method: 'GET', url: '/partner/links/:linkId/id-image' }];
  for (const { method, url } of calls) {
    const path = url.replaceAll(/:\w+/g, 'some');
    const { statusCode, headers, body } = await app.inject({ method: method as 'GET', url: path });
    expect([path, statusCode, headers['content-type'], body]).toEqual([
      path,
      500,
      'application/json',
      expect.stringMatching(FAULT),
    ]);
    expect(body).not.toContain('secret');
  }
});

test('a payload that is missing is a fault of ours', async () => {
  await serve(async () => ({ data: { createLinkFromJson: null } }));
  const { statusCode, body } = await app.inject({ method: 'POST', url: '/partner/links', payload: '{}' });
  expect([statusCode, body]).toEqual([500, expect.stringMatching(FAULT)]);
});
