import { beforeAll, expect, test } from '@jest/globals';
import { cookieOf, exchangeCode, LOCAL_PAGE, makeLink } from '../support/console-session.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { createMoneyRequest, moneyRequestBody, newReference, queryGraph } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/*
 * A subgraph makes the link, gateways exchange its code and know the cookie, subgraphs get the session's permissions.
 */

const scene = useScene();
let server: Server;
let exchange: Exchange;
beforeAll(async () => {
  server = await (await scene.deploy({ arrangement: 'split' })).start();
  exchange = exchangeWith(server.url);
});

async function ask(cookie: string, query: string) {
  const headers = { ...LOCAL_PAGE, cookie };
  const body = JSON.stringify({ query });
  return JSON.parse((await exchange({ method: 'POST', path: '/graphql', headers, body })).text);
}

test('A session of a split deployment reads, changes nothing, and leaves neither code nor cookie in the logs', async () => {
  const { code, id } = await makeLink(exchange, KEYS.acme, { label: 'Ana Ruiz' });
  const tried = await Promise.all([1, 2, 3].map(() => exchangeCode(exchange, code, LOCAL_PAGE)));
  expect(tried.map(({ status }) => status).toSorted()).toEqual([200, 401, 401]);
  const cookie = tried.map(cookieOf).find((one) => one.includes('=')) ?? '';
  expect(await ask(cookie, '{ me { id scopes } }')).toMatchObject({
    data: { me: { id: 'acme', scopes: ['partner'] } },
  });
  const mutation = 'mutation { createLink(input: { flow: CIP, referenceId: "u-1" }) { link { id } } }';
  expect(await ask(cookie, mutation)).toMatchObject({
    data: null,
    errors: [{ extensions: { code: 'FORBIDDEN' } }],
  });
  const log = server.output();
  for (const reported of ['console_link.created', 'console_session.opened', id]) {
    expect(log).toContain(reported);
  }
  for (const secret of [code, cookie.split('=')[1] ?? '', 'Ana Ruiz']) {
    expect(log).not.toContain(secret);
  }
});

test('Whose contact data a session reads is on record, written by the subgraph of users', async () => {
  const { code, id } = await makeLink(exchange, KEYS.acme, { label: 'Operator 7', access: 'SUPPORT' });
  const cookie = cookieOf(await exchangeCode(exchange, code, LOCAL_PAGE));
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  const { data } = await ask(cookie, `{ requestMoney(referenceId: "${referenceId}") { user { id email } } }`);
  const { id: userId } = data.requestMoney.user;
  const query = `{ requestLog(where: { subject: "${userId}", isReveal: true }) { nodes { subjects } } }`;
  let nodes: readonly object[] = [];
  await until('the entry is there', async () => {
    const found = await queryGraph<{ requestLog: { nodes: object[] } }>(exchange, query);
    nodes = found.data?.requestLog.nodes ?? [];
    return nodes.length > 0;
  });
  expect(nodes).toEqual([{ subjects: [userId] }]);
  const lines = server.output().split('\n');
  const line = lines.find((one) => one.includes('user.contact_data_read') && one.includes(userId));
  expect(JSON.parse(String(line))).toMatchObject({ sessionId: id, userId });
  // The person is in the list of sessions: names of people are in no log.
  expect(line).not.toContain('Operator 7');
});
