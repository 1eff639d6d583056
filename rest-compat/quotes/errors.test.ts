import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import Fastify from 'fastify';
import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';
import { fail, type Result } from '../../subgraphs/kernel/errors/result.ts';
import * as partner from '../partner/errors.ts';
import * as remittance from '../remittance/errors.ts';
import * as requestMoney from '../request-money/errors.ts';
import type { RunDocument } from '../shared/documents.ts';
import { quoteRoutes } from './routes.ts';

const failed: Result<never> = fail('RATE_STALE');
const failures = failed.ok ? [] : failed.failures;
const { message } = CATALOGUE.SERVICE_UNAVAILABLE;
const AWAY = { 'retry-after': '5' };

test('a rate that is too old has a documented code on the documented calls', () => {
  expect([
    remittance.presentFailures(failures, 'plain'),
    remittance.presentFailures(failures, 'coded'),
    requestMoney.presentFailures(failures),
    partner.presentFailures(failures),
  ]).toEqual([
    { status: 503, body: { reason: message }, headers: { ...AWAY, 'x-error-code': 'SERVICE_UNAVAILABLE' } },
    { status: 503, body: { reason: message }, headers: { ...AWAY, 'x-error-code': 'SERVICE_UNAVAILABLE' } },
    { status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE', message } }, headers: AWAY },
    {
      status: 503,
      body: { success: false, error: { code: 'SERVICE_UNAVAILABLE', message, details: null } },
      headers: AWAY,
    },
  ]);
});

test('and its own code on POST /v1/quotes', async () => {
  const app = Fastify();
  app.decorateRequest('principal', null);
  const run = async () => ({ data: { createQuoteFromJson: { quote: null, userErrors: failures } } });
  await app.register(quoteRoutes, {
    run: run as RunDocument,
    apiKeys: { authenticate: async () => ({ accountId: 'acme/live', keyId: 'key_1', scopes: ['partner'] }) },
  });
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/quotes',
    headers: { 'x-api-key': 'raas_live_acme' },
    payload: '{}',
  });
  expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
    503,
    '5',
    { error: { code: 'RATE_STALE', message: CATALOGUE.RATE_STALE.message } },
  ]);
  await app.close();
});
