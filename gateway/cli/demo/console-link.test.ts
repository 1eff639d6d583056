import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { createConsoleLink } from './console-link.ts';

const LINK = 'https://remit.example/base/console/#code=raas_code_1';
let app: FastifyInstance;
let url: string;
let link: string | null = LINK;

beforeAll(async () => {
  app = Fastify();
  app.post('/graphql', ({ headers }, reply) =>
    reply.send({
      data: {
        createConsoleLink: headers['x-api-key'] === 'key' ? { url: link, userErrors: [] } : { url: null },
      },
    }),
  );
  url = await app.listen({ port: 0 });
});
afterAll(() => app.close());

test("the link leads to the public address, or to the server's own address", async () => {
  expect(await createConsoleLink({ url, key: 'key', isPublic: true })).toBe(LINK);
  expect(await createConsoleLink({ url, key: 'key', isPublic: false })).toBe(
    `${url}/base/console/#code=raas_code_1`,
  );
});

test('an answer without a link is an error that shows the answer', async () => {
  link = null;
  await expect(createConsoleLink({ url, key: 'key', isPublic: false })).rejects.toThrow('"url":null');
});
