import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { createMoneyRequest, lookUp, moneyRequestBody, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

const scene = useScene();
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  exchange = injectInto(app);
});

// An error of a subgraph would name it, in `serviceName`.
const rejectedAt = (path: string, missingScopes: readonly string[]) => ({
  message: expect.stringContaining(missingScopes.join(' and ')),
  path: [path],
  extensions: { code: 'FORBIDDEN', missingScopes },
});

describe('A key without the scope that a field takes', () => {
  test.each([KEYS.acmeBare, KEYS.acmeWithoutPartner])('%s gets the rest of its data', async (key) => {
    const query = '{ __typename user(id: "u") { id } aLink: link(id: "l") { id } }';
    const { data, errors } = await queryGraph(exchange, query, {}, key);
    expect(data).toEqual({ __typename: 'Query', user: null, aLink: null });
    expect(errors).toEqual([rejectedAt('user', ['partner']), rejectedAt('aLink', ['partner'])]);
    const allowed = await queryGraph(exchange, query, {}, KEYS.acme);
    expect(allowed).toMatchObject({ data: { user: null, aLink: null } });
    expect(allowed.errors).toBeUndefined();
  });

  test('changes nothing', async () => {
    const query = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { link { id } } }';
    const input = { flow: 'CIP', referenceId: 'u-77' };
    const { data, errors } = await queryGraph(exchange, query, { input }, KEYS.acmeBare);
    expect({ data, errors }).toEqual({
      data: null,
      errors: [rejectedAt('createLink', ['partner', 'partner_write'])],
    });
    const users = await queryGraph(exchange, '{ users { nodes { referenceId } } }', {}, KEYS.acme);
    expect(users.data).toEqual({ users: { nodes: [] } });
  });

  test('is rejected over REST in the words of the contract', async () => {
    for (const key of [KEYS.acmeBare, KEYS.acmeWithoutPartner]) {
      const answers = [
        await createMoneyRequest(exchange, moneyRequestBody('RS12cd34'), { key }),
        await lookUp(exchange, 'RS12cd34', key),
      ];
      for (const { status, text } of answers) {
        expect(status).toBe(403);
        expect(JSON.parse(text)).toMatchObject({ error: { code: 'INSUFFICIENT_SCOPE' } });
      }
    }
    expect((await lookUp(exchange, 'RS12cd34', KEYS.acme)).status).toBe(404);
  });
});
