import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestGateway, type TestGateway } from './testing/gateway.ts';
import { GRAPHQL_TYPE, JSON_TYPE, ROWS, type Sent } from './testing/over-http-rows.ts';

let graph: TestGateway;
beforeAll(async () => {
  graph = await startTestGateway();
});
afterAll(() => graph.close());

interface Got {
  readonly status: number;
  readonly reason: string;
  readonly type: string | undefined;
  readonly allow: string | undefined;
  readonly text: string;
}

/** Sends exactly these headers. `fetch` would add some. */
function send({ method = 'POST', search = {}, body = '', headers = {} }: Sent): Promise<Got> {
  const all = {
    accept: GRAPHQL_TYPE,
    'content-type': method === 'POST' ? JSON_TYPE : undefined,
    ...headers,
  };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const url = `${graph.gateway.url}?${new URLSearchParams(search)}`;
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: Object.fromEntries(sent) }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject);
      response.on('end', () => {
        const { statusCode = 0, statusMessage = '' } = response;
        const { 'content-type': type, allow } = response.headers;
        resolve({ status: statusCode, reason: statusMessage, type, allow, text });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

const exchanges = Object.entries(ROWS).flatMap(([row, pairs]) =>
  pairs.map(([sent, answer], index) => ({ row, number: index + 1, sent, answer })),
);

test.each(exchanges)('row $row of GraphQL over HTTP holds for request $number', async ({ sent, answer }) => {
  const { status, type = GRAPHQL_TYPE, code, json, allow, reason } = answer;
  const got = await send(sent);
  expect(got.status).toBe(status);
  expect(got.type?.split(';')[0]).toBe(type);
  if (allow !== undefined) {
    expect(got.allow).toBe(allow);
  }
  if (reason !== undefined) {
    expect(got.reason).toBe(reason);
  }
  if (json !== undefined) {
    expect(JSON.parse(got.text)).toEqual(json);
  }
  if (code !== undefined && sent.method !== 'HEAD') {
    // A GraphQL response without `data`: a request error result.
    expect(JSON.parse(got.text)).toEqual({
      errors: [
        expect.objectContaining({
          message: expect.any(String),
          extensions: expect.objectContaining({ code }),
        }),
      ],
    });
  }
});

test('answers name their charset', async () => {
  expect((await send({ body: '{"query":"{ __typename }"}' })).type).toBe(`${GRAPHQL_TYPE}; charset=utf-8`);
});

test('the table has exactly the rows that are tested', () => {
  const table = readFileSync('gateway/http/graphql/README.md', 'utf8');
  const numbers = [...table.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => number);
  expect(numbers).toEqual(Object.keys(ROWS));
});
