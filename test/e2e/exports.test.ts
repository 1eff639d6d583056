import { request as httpRequest, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto } from '../support/http.ts';
import { callerOf, personOf } from '../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

const MONEY_REQUESTS = '/exports/money-requests.csv';
const OPERATIONS = '/exports/operations.csv';
const LOG = '/exports/operator-log.csv';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
let url: string;
/** Oldest first; the second is being paid. */
const references: string[] = [];
beforeAll(async () => {
  const { env } = await scene.deploy();
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
  url = await target.app.listen({ host: '127.0.0.1', port: 0 });
  for (const user of ['u-1', '=cmd|x', 'u-1']) {
    const referenceId = newReference();
    const { requestData } = moneyRequestBody(referenceId);
    const changes = { requestData: { ...requestData, userReferenceId: user } };
    expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId, changes))).status).toBe(201);
    references.push(referenceId);
  }
  await updateStatus(exchange, { referenceId: references[1] ?? '', status: 'processing' });
  await createMoneyRequest(exchange, moneyRequestBody(newReference()), { key: KEYS.globex });
});

async function call(path: string, headers: Record<string, string> = { 'x-api-key': KEYS.acme }) {
  return exchange({ method: 'GET', path, headers });
}

/** The rows of an export by the names of their columns; no cell here has a comma or a quote. */
async function rowsOf(path: string): Promise<Record<string, string>[]> {
  const { status, text } = await call(path);
  expect([status, text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  const [names = [], ...rows] = text
    .split('\r\n')
    .slice(0, -1)
    .map((line) => line.slice(1, -1).split('","'));
  return rows.map((cells) => Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ''])));
}

const referencesOf = async (query: string) =>
  (await rowsOf(`${MONEY_REQUESTS}${query}`)).map(({ referenceId }) => referenceId);

describe('An export', () => {
  test('has what the list of the graph has, newest first, and no other partner’s', async () => {
    const rows = await rowsOf(MONEY_REQUESTS);
    const query = `{ requestMonies { edges { cursor node { referenceId status createdAt user { id } } } } }`;
    interface Listed {
      readonly requestMonies: {
        readonly edges: readonly {
          readonly cursor: string;
          readonly node: {
            readonly referenceId: string;
            readonly status: string;
            readonly createdAt: string;
            readonly user: { readonly id: string };
          };
        }[];
      };
    }
    const { data } = await queryGraph<Listed>(exchange, query);
    const listed = data?.requestMonies.edges.map(({ cursor, node: { user, ...node } }) => ({
      ...node,
      userId: user.id,
      cursor,
    }));
    expect(rows).toMatchObject(listed ?? []);
    expect(rows.map(({ referenceId }) => referenceId)).toEqual(references.toReversed());
    expect(rows[0]).toMatchObject({
      amount: '1500.5',
      currency: 'MXN',
      sourceCountry: 'US',
      status: 'PENDING',
    });
    expect(rows.map(({ userReferenceId }) => userReferenceId)).toEqual(['u-1', "'=cmd|x", 'u-1']);
  });

  test('has operations, too', async () => {
    const [operation, ...others] = await rowsOf(`${OPERATIONS}?referenceId=${encodeURIComponent('=cmd|x')}`);
    expect(others).toEqual([]);
    expect(operation).toMatchObject({
      requestMoney: references[1],
      recipientAmount: '1500.5',
      recipientCurrency: 'MXN',
      referenceId: "'=cmd|x",
    });
    expect(await rowsOf(`${OPERATIONS}?status=COMPLETED`)).toEqual([]);
  });

  test('has links, webhooks and atomic calls, each as its list in the graph has them', async () => {
    const link = 'mutation { createLink(input: { flow: CIP, referenceId: "u-9" }) { link { id } } }';
    await queryGraph(exchange, link);
    const lists = [
      ['links', 'links(where: { flow: [CIP] }) { nodes { id status flow referenceId } }', 'flow=CIP'],
      ['webhooks', 'webhookDeliveries { nodes { id event status url } }', ''],
      ['remittances', 'remittances(where: { isStuck: false }) { nodes { correlationId } }', 'isStuck=false'],
    ] as const;
    const counts: number[] = [];
    for (const [name, query, parameters] of lists) {
      const { data } = await queryGraph<Record<string, { nodes: object[] }>>(exchange, `{ list: ${query} }`);
      const rows = await rowsOf(`/exports/${name}.csv?${parameters}`);
      expect(rows).toMatchObject(data?.list?.nodes ?? []);
      counts.push(rows.length);
    }
    // Three requests and a change of one were sent.
    expect(counts).toEqual([1, 4, 0]);
    expect((await call('/exports/remittances.csv?isStuck=perhaps')).status).toBe(400);
  });

  test('has users as the console shows them: no phone number, email or date of birth', async () => {
    const contact = { phoneNumber: '+525512349876', email: 'ana.exported@example.com', dob: '1991-03-29' };
    const person = { ...personOf(() => 'Ana'), ...contact };
    await callerOf({ accountId: 'acme/sandbox' as const, key: KEYS.acme }, exchange)(
      'POST',
      '/v1/user/register-v2',
      person,
    );
    const query = `query ($phoneNumber: String) {
      users(where: { phoneNumber: $phoneNumber }) { nodes { id lastName createdAt phoneNumber email dob } }
    }`;
    const { data } = await queryGraph<{ users: { nodes: Record<string, string>[] } }>(exchange, query, {
      phoneNumber: contact.phoneNumber,
    });
    const [user] = data?.users.nodes ?? [];
    expect(user).toMatchObject(contact);
    const rows = await rowsOf('/exports/users.csv?cipStatus=PENDING&blocked=false');
    const row = rows.find(({ id }) => id === user?.id);
    expect(row).toMatchObject({
      firstName: 'Ana',
      lastName: user?.lastName,
      blocked: 'false',
      createdAt: user?.createdAt,
    });
    expect(rows.map(({ referenceId }) => referenceId)).toContain("'=cmd|x");
    const text = JSON.stringify(rows);
    expect(Object.values(contact).filter((one) => text.includes(one))).toEqual([]);
    expect(await rowsOf('/exports/users.csv?blocked=true')).toEqual([]);
    for (const filter of ['phoneNumber', 'email']) {
      expect((await call(`/exports/users.csv?${filter}=x`)).status).toBe(400);
    }
  });

  test('is a file of its own kind', async () => {
    const { headers, text } = await call(MONEY_REQUESTS, { 'x-api-key': KEYS.acme, accept: 'text/csv' });
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="money-requests.csv"',
      'cache-control': 'no-store',
    });
    expect(text.startsWith('"referenceId","requestId","status",')).toBe(true);
    const head = await exchange({
      method: 'HEAD',
      path: MONEY_REQUESTS,
      headers: { 'x-api-key': KEYS.acme },
    });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(head.headers['content-type']).toBe(headers['content-type']);
    expect(head.headers['content-length']).toBeUndefined();
  });

  test('is filtered as the list is', async () => {
    const [first, second, third] = references;
    expect(await referencesOf('?status=PROCESSING')).toEqual([second]);
    expect(await referencesOf('?status=PROCESSING&status=PENDING')).toEqual([third, second, first]);
    expect(await referencesOf('?userReferenceId=u-1&currency=MXN')).toEqual([third, first]);
    expect(await referencesOf(`?referenceId=${first}&amount.gte=1501`)).toEqual([]);
    expect(await referencesOf('?createdAt.lt=2020-01-01T00:00:00.000Z')).toEqual([]);
  });

  test('goes on behind the cursor of its last row', async () => {
    const [first, second, third] = references;
    const [row] = await rowsOf(`${MONEY_REQUESTS}?limit=1`);
    expect(row?.referenceId).toBe(third);
    expect(await referencesOf(`?after=${row?.cursor}`)).toEqual([second, first]);
  });

  test('is for browser tokens, too', async () => {
    const make = 'mutation { createBrowserToken(input: { expiresInMinutes: 1 }) { token } }';
    const made = await queryGraph<{ createBrowserToken: { token: string } }>(exchange, make);
    const authorization = `Bearer ${made.data?.createBrowserToken.token}`;
    const { status, text } = await call(MONEY_REQUESTS, { authorization });
    expect([status, text.split('\r\n').length]).toEqual([200, references.length + 2]);
  });
});

describe('An export is not made', () => {
  test.each<[string, string, Record<string, string>, number, string]>([
    ['without a key', MONEY_REQUESTS, {}, 401, 'UNAUTHENTICATED'],
    ['with a revoked or unknown key', MONEY_REQUESTS, { 'x-api-key': 'raas_none' }, 401, 'UNAUTHENTICATED'],
    ['with a key in the URL', `${MONEY_REQUESTS}?x-api-key=${KEYS.acme}`, {}, 401, 'UNAUTHENTICATED'],
    ['without the scope', MONEY_REQUESTS, { 'x-api-key': KEYS.acmeWithoutPartner }, 403, 'FORBIDDEN'],
    [
      'without the scope, whatever the parameters',
      `${MONEY_REQUESTS}?state=x`,
      { 'x-api-key': KEYS.acmeWithoutPartner, accept: 'application/json' },
      403,
      'FORBIDDEN',
    ],
    ['of the platform for a partner, whatever the parameters', `${LOG}?state=x`, {}, 403, 'FORBIDDEN'],
    ['for a parameter that is not there', `${MONEY_REQUESTS}?state=x`, {}, 400, 'BAD_REQUEST'],
    ['for a status that is not there', `${MONEY_REQUESTS}?status=paid`, {}, 400, 'BAD_USER_INPUT'],
    ['for a time that is none', `${MONEY_REQUESTS}?createdAt.gte=now`, {}, 400, 'BAD_USER_INPUT'],
    ['for an amount of all times', `${OPERATIONS}?amount.gte=1`, {}, 400, 'BAD_USER_INPUT'],
    ['for a cursor that is none', `${OPERATIONS}?after=nothing`, {}, 400, 'INVALID_CURSOR'],
    ['for too many rows', `${OPERATIONS}?limit=100001`, {}, 400, 'BAD_REQUEST'],
    ['as another type', OPERATIONS, { accept: 'application/json' }, 406, 'NOT_ACCEPTABLE'],
  ])('%s', async (name, path, given, status, code) => {
    const headers = name.includes('key') ? given : { 'x-api-key': KEYS.acme, ...given };
    const answer = await call(path, headers);
    expect([answer.status, JSON.parse(answer.text).errors?.[0]?.extensions]).toEqual([
      status,
      expect.objectContaining({ code }),
    ]);
  });

  test('of another list', async () => {
    expect((await call('/exports/keys.csv')).status).toBe(404);
  });

  test('beside two others of the same key, however soon it comes', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => call(OPERATIONS, { 'x-api-key': KEYS.acmeHalf })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 429]);
    const failed = answers.find(({ status }) => status === 429);
    expect(failed?.headers['retry-after']).toBe('5');
    expect((await call(OPERATIONS, { 'x-api-key': KEYS.acmeHalf })).status).toBe(200);
  });

  test('beside two others of the same key that nobody reads to their end', async () => {
    const { key } = await target.subgraphs.apiKeys.create({
      accountId: 'acme/sandbox',
      scopes: ['partner'],
      label: 'exports',
    });
    await fillOperations(110);
    const held = await Promise.all([openExport(key), openExport(key)]);
    await until(
      'both are open',
      async () => (await call(MONEY_REQUESTS, { 'x-api-key': key })).status === 429,
    );
    expect((await call(MONEY_REQUESTS)).status).toBe(200);
    held[0]?.destroy();
    await until(
      'one may be made',
      async () => (await call(MONEY_REQUESTS, { 'x-api-key': key })).status === 200,
    );
    held[1]?.destroy();
  });
});

/** More operations than fit between the server and a client that does not read. */
async function fillOperations(count: number): Promise<void> {
  const collection = target.connection.collection<{ _id: string }>('operations');
  const { _id, ...model } = (await collection.findOne({ requestReferenceId: references[1] })) ?? {};
  const documents = Array.from({ length: count }, (_, index) => ({
    ...model,
    _id: `copy-${index}`,
    operationId: `copy-${index}`,
    code: `copy-${index}`,
    statusDetails: 'x'.repeat(140_000),
  }));
  await collection.insertMany(documents);
}

async function openExport(key: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = { headers: { 'x-api-key': key }, agent: false };
    httpRequest(`${url}${OPERATIONS}`, options, resolve).on('error', reject).end();
  });
  response.on('error', () => undefined);
  scene.atEnd(async () => void response.destroy());
  return response;
}
