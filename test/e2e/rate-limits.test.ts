import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, exchangeWith, type RawResponse } from '../support/http.ts';
import { lookUp, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

const LIMIT = 6;

describe('Two servers keep one limit', () => {
  const scene = useScene();
  let servers: Server[];
  let exchanges: Exchange[];
  beforeAll(async () => {
    const limits = ['REMITTANCE', 'REQUEST_MONEY', 'PARTNER', 'GRAPHQL'].map((name) => [
      `RATE_LIMIT_${name}`,
      LIMIT,
    ]);
    const env = Object.fromEntries(limits.map(([name, limit]) => [name, String(limit)]));
    const deployment = await scene.deploy({ env });
    servers = [await deployment.start(), await deployment.start()];
    exchanges = servers.map(({ url }) => exchangeWith(url));
  });

  /** Two calls more than the limit, turn and turn about. */
  async function callAll<T>(call: (exchange: Exchange) => Promise<T>): Promise<T[]> {
    const answers: T[] = [];
    for (let index = 0; index < LIMIT + 2; index += 1) {
      answers.push(await call(exchanges[index % 2]!));
    }
    return answers;
  }
  const failures = (answers: readonly { status: number }[]) => answers.map(({ status }) => status === 429);
  const EXPECTED = [...Array.from({ length: LIMIT }, () => false), true, true];

  test('of REST, and another key has its own', async () => {
    const lookups = await callAll((exchange) => lookUp(exchange, 'AAAAAAAA'));
    expect(failures(lookups)).toEqual(EXPECTED);
    const { headers, text } = lookups.at(-1) as RawResponse;
    expect(JSON.parse(text)).toEqual({ error: { code: 'RATE_LIMITED', message: expect.any(String) } });
    expect(headers['content-type']).toBe('application/json');
    expect(headers['retry-after']).toMatch(/^([1-9]|[1-5]\d|60)$/);
    const left = lookups.map(
      (answer) => /^"request-money";r=(\d+);t=\d+/.exec(`${answer.headers.ratelimit}`)?.[1],
    );
    expect(left).toEqual(['5', '4', '3', '2', '1', '0', '0', '0']);
    expect((await lookUp(exchanges[0]!, 'AAAAAAAA', KEYS.globex)).status).toBe(404);

    const path = '/v1/user/operations/detail/none';
    const details = await callAll((exchange) =>
      exchange({ method: 'GET', path, headers: { api_key: KEYS.acme } }),
    );
    expect(failures(details)).toEqual(EXPECTED);
    expect(JSON.parse(details.at(-1)?.text ?? '')).toEqual({ reason: expect.any(String) });

    const accounts = await callAll((exchange) =>
      exchange({ method: 'GET', path: '/partner/me', headers: { 'X-API-Key': KEYS.acme } }),
    );
    expect(failures(accounts)).toEqual(EXPECTED);
    expect(JSON.parse(accounts.at(-1)?.text ?? '')).toEqual({
      success: false,
      error: { code: 'RATE_LIMITED', message: expect.any(String), details: null },
    });
  });

  test('of GraphQL, over HTTP and sockets together', async () => {
    const answers = await callAll((exchange) => queryGraph(exchange, '{ __typename }'));
    expect(failures(answers)).toEqual(EXPECTED);
    const rejected = {
      message: expect.any(String),
      extensions: expect.objectContaining({ code: 'RATE_LIMITED' }),
    };
    expect(answers.at(-1)?.errors).toEqual([rejected]);

    const subscriber = (key: string) =>
      scene.subscriber({ url: servers[1]!.url, connectionParams: { 'X-API-Key': key } });
    const socket = await subscriber(KEYS.acme);
    const operation = socket.subscribe('{ __typename }');
    await until('the error', () => operation.errors.length > 0);
    expect(operation.errors).toEqual([rejected]);
    const other = (await subscriber(KEYS.globex)).subscribe('{ __typename }');
    expect(await other.take(1)).toEqual([{ __typename: 'Query' }]);
  });
});
