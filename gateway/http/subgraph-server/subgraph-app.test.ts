import type { AddressInfo } from 'node:net';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { createLogger } from '../../../subgraphs/kernel/log/log.ts';
import { openConnection } from '../../../test/support/http.ts';
import { httpTimeouts } from '../http-timeouts.ts';
import { createPrincipalSigner, createPrincipalVerifier, PRINCIPAL_HEADER } from './principal-token.ts';
import { buildSubgraphApp } from './subgraph-app.ts';

const KEYS = ['a key of tests, known to nobody else'] as const;
const AUDIENCE = 'things';

let app: FastifyInstance;
beforeEach(async () => {
  const schema = buildSubgraphSchema([{ typeDefs: parse('type Query { a: Int }') }]);
  app = await buildSubgraphApp({
    subgraph: { name: AUDIENCE, federatedSchema: async () => schema, stop: async () => undefined },
    tokens: createPrincipalVerifier({ keys: KEYS, audience: AUDIENCE }),
    apiKeys: { findRevoked: async () => [] },
    log: createLogger({ level: 'silent' }),
    timeouts: httpTimeouts(1),
  } as unknown as Parameters<typeof buildSubgraphApp>[0]);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterEach(() => app.close());

/** Head of a call as the gateway makes it, of which the body is still to come. */
async function headOfCall(): Promise<string> {
  const use = { audience: AUDIENCE, method: 'POST', body: '{}' } as const;
  const token = await createPrincipalSigner({ keys: KEYS }).sign({ principal: null, requestId: 'r' }, use);
  const lines = ['POST /graphql HTTP/1.1', 'host: x', 'content-type: application/json'];
  return [...lines, `${PRINCIPAL_HEADER}: ${token}`, 'content-length: 100000', '', '{'].join('\r\n');
}

describe('a request that does not come to an end', () => {
  test.each([
    ['nothing at all', async () => '', /^HTTP\/1\.1 408 /],
    ['half a head', async () => 'POST /graphql HTTP/1.1\r\nx-drip: ', /^HTTP\/1\.1 408 /],
    [
      'half a body of a stranger',
      async () => 'POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-length: 9999\r\n\r\n{',
      /^HTTP\/1\.1 401 /,
    ],
    ['half a body of the gateway', headOfCall, /^HTTP\/1\.1 408 /],
  ])('should be cut off: %s', async (_what, bytes, answer) => {
    const { port } = app.server.address() as AddressInfo;
    const connection = await openConnection(`http://127.0.0.1:${port}`);
    const head = await bytes();
    connection.write(head);
    const drip = head === '' ? undefined : setInterval(() => connection.write('x'), 100);
    await connection.closed;
    clearInterval(drip);
    expect(connection.received()).toMatch(answer);
  });
});
