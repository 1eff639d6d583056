import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Command, FaultProxy } from '../support/fault-proxy.ts';
import type { Exchange } from '../support/http.ts';
import { queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { deployWithFaults } from '../support/strikes.ts';

const scene = useScene();
let proxy: FaultProxy;
let exchange: Exchange;
beforeAll(async () => {
  ({ proxy, exchange } = await deployWithFaults(scene));
});
afterEach(() => {
  proxy.arm(undefined, 0, () => false);
});

/**
 * Reads of a collection; `deployWithFaults` gives operations 240 s. Those of an audit, which are in transactions or of many records, are
 * left out.
 */
const reads = (collection: string, name: string, by?: string) => (command: Command) =>
  command.name === name &&
  command.collections.includes(collection) &&
  command.maxTimeMs === 216_000 &&
  command.transaction === undefined &&
  (by === undefined || command.filter.includes(by));

const message = expect.any(String);

describe('A read that the database stops at its time limit', () => {
  test.each([
    [
      'document 1',
      '/v1/user/operations/detail/none',
      reads('operations', 'find', 'operationId'),
      { api_key: KEYS.acme },
      { reason: message },
    ],
    [
      'document 2',
      '/v1/request-money/AB12cd34',
      reads('moneyRequests', 'find', 'referenceId'),
      { 'X-API-Key': KEYS.acme },
      { error: { code: 'SERVICE_UNAVAILABLE', message } },
    ],
    [
      'document 3',
      '/partner/links',
      // A list that finds nothing counts only.
      reads('links', 'aggregate'),
      { 'X-API-Key': KEYS.acme },
      { success: false, error: { code: 'SERVICE_UNAVAILABLE', message, details: null } },
    ],
  ])('is answered 503 in the shape of %s', async (_surface, path, counts, headers, shape) => {
    const armed = proxy.arm('out of time', 1, counts);
    const { status, text } = await exchange({ method: 'GET', path, headers });
    expect([armed.hasStruck(), status, JSON.parse(text)]).toEqual([true, 503, shape]);
    expect((await exchange({ method: 'GET', path, headers })).status).not.toBe(503);
  });

  test.each([
    ['list', 'find', '{ links { nodes { id } } }'],
    ['count', 'aggregate', '{ links { totalCount } }'],
  ])('is answered by SERVICE_UNAVAILABLE in GraphQL: a %s', async (_kind, name, query) => {
    const armed = proxy.arm('out of time', 1, reads('links', name));
    const { errors } = await queryGraph(exchange, query);
    expect([armed.hasStruck(), errors?.[0]?.extensions?.code]).toEqual([true, 'SERVICE_UNAVAILABLE']);
    expect((await queryGraph(exchange, query)).errors).toBeUndefined();
  });

  test('is answered by SERVICE_UNAVAILABLE in GraphQL: totals', async () => {
    const armed = proxy.arm('out of time', 1, reads('moneyRequests', 'aggregate'));
    const query = '{ requestMoneyTotals(groupBy: []) { count } }';
    const { errors } = await queryGraph(exchange, query);
    expect([armed.hasStruck(), errors?.[0]?.extensions?.code]).toEqual([true, 'SERVICE_UNAVAILABLE']);
    expect((await queryGraph(exchange, query)).errors).toBeUndefined();
  });
});
