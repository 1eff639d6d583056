import { beforeAll, describe, expect, test } from '@jest/globals';
import { PLATFORM_ACCOUNT } from '../../subgraphs/kernel/principal.ts';
import { CONSOLE_ORIGIN, cookieOf, exchangeCode, PAGE } from '../support/console-session.ts';
import { type Exchange, injectInto } from '../support/http.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';

const scene = useScene();
let target: TestApp;
let exchange: Exchange;
beforeAll(async () => {
  const { env } = await scene.deploy({ env: { PUBLIC_URL: `${CONSOLE_ORIGIN}/` } });
  target = await buildTestApp(env);
  scene.atEnd(target.close);
  exchange = injectInto(target.app);
});

async function signIn(access: 'read' | 'operate') {
  const maker = { accountId: PLATFORM_ACCOUNT } as const;
  const { code, session } = await target.subgraphs.consoleSessions.createLink(maker, {
    access,
    label: 'On call',
  });
  return {
    headers: { ...PAGE, cookie: cookieOf(await exchangeCode(exchange, code)) },
    sessionId: session.sessionId,
  };
}

interface Answer<Data> {
  readonly data: Data | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function post<Data>(headers: Record<string, string>, query: string, variables: object = {}) {
  const { text } = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  return JSON.parse(text) as Answer<Data>;
}

const codesOf = ({ errors = [] }: Answer<unknown>) => errors.map(({ extensions }) => extensions.code);

describe('A session with the access operate', () => {
  const STUCK = `query Stuck($tenantId: ID) { platform { remittances(list: STUCK, tenantId: $tenantId) {
    nodes { id tenantId environment correlationId status phase phaseSince attempts nextAttemptAt lastErrorCode
      lastErrorMessage lastErrorAt payerMayHaveBeenAsked withdrawalStatus whyNotRetry whyNotFail } totalCount } } }`;
  const FAIL = `mutation Fail($input: FailRemittanceInput!) { failRemittance(input: $input) {
    remittance { status } userErrors { code message path } } }`;
  const RETRY = `mutation Retry($input: RetryRemittanceInput!) { retryRemittance(input: $input) {
    remittance { status attempts } userErrors { code } } }`;
  const LOG = `{ platform { operatorLog(first: 1, where: { tenantId: "acme" }) {
    nodes { source actor sessionId act tenantId environment subject reason before after } } } }`;

  async function storeStuck(correlationId: string): Promise<string> {
    const id = `acme/sandbox|${correlationId}`;
    const at = new Date(Date.now() - 60_000);
    const lastError = { code: 'ERROR_INTERNAL_SERVER_ERROR', message: 'Away.', occurredAt: at };
    await target.connection.collection<{ _id: string }>('remittances').insertOne({
      ...{ _id: id, accountId: 'acme/sandbox', correlationId, userId: 'usr_1' },
      ...{ status: 'IN_PROGRESS', isOpen: true, phase: 'CIP', phaseSince: at, version: 1, attempts: 3 },
      ...{
        claims: 0,
        nextAttemptAt: new Date(Date.now() + 600_000),
        waitMs: 600_000,
        lastError,
        createdAt: at,
        updatedAt: at,
      },
    });
    return id;
  }

  test('retries and ends remittances, with an entry for each act; a session for reading only looks', async () => {
    const id = await storeStuck('stuck-1');
    const reader = await signIn('read');
    const shown = await post<{ platform: { remittances: object } }>(reader.headers, STUCK, {
      tenantId: 'acme',
    });
    expect(shown.data?.platform.remittances).toMatchObject({
      nodes: [{ id, status: 'IN_PROGRESS', phase: 'CIP', attempts: 3, lastErrorMessage: 'Away.' }],
      totalCount: 1,
    });
    const input = { id, reason: 'Ticket 812' };
    expect(codesOf(await post(reader.headers, FAIL, { input }))).toEqual(['FORBIDDEN']);
    expect(codesOf(await post(reader.headers, RETRY, { input }))).toEqual(['FORBIDDEN']);
    const own = await signIn('operate');
    const { headers } = own;
    expect(await post(headers, RETRY, { input: { id } })).toMatchObject({
      data: { retryRemittance: { remittance: { status: 'IN_PROGRESS', attempts: 0 }, userErrors: [] } },
    });
    expect(await post(headers, FAIL, { input: { id, reason: '' } })).toMatchObject({
      data: {
        failRemittance: { remittance: null, userErrors: [{ code: 'INVALID_REQUEST', path: ['reason'] }] },
      },
    });
    expect(await post(headers, FAIL, { input })).toMatchObject({
      data: { failRemittance: { remittance: { status: 'FAILED' }, userErrors: [] } },
    });
    expect(await post(headers, FAIL, { input })).toMatchObject({
      data: { failRemittance: { userErrors: [{ code: 'INVALID_TRANSITION' }] } },
    });
    expect((await post(reader.headers, LOG)).data).toEqual({
      platform: {
        operatorLog: {
          nodes: [
            {
              ...{ source: 'CONSOLE', actor: 'On call', sessionId: own.sessionId },
              ...{ act: 'remittances fail', tenantId: 'acme', environment: 'SANDBOX', subject: 'stuck-1' },
              reason: 'Ticket 812',
              before: expect.objectContaining({ status: 'IN_PROGRESS' }),
              after: expect.objectContaining({ status: 'FAILED' }),
            },
          ],
        },
      },
    });
  });

  test('exports the operator log as CSV and as JSON lines, which no partner gets', async () => {
    const id = await storeStuck('stuck-2');
    const own = await signIn('operate');
    const { headers } = own;
    await post(headers, FAIL, { input: { id, reason: '=cmd' } });
    const get = (path: string, given: Record<string, string>) =>
      exchange({ method: 'GET', path, headers: given });
    const path = '/exports/operator-log';
    const csv = await get(`${path}.csv?act=remittances%20fail&limit=1`, headers);
    expect(csv.status).toBe(200);
    expect(csv.text).toMatch(/^"id","createdAt",.*"after","cursor"\r\n.*"stuck-2","'=cmd","\{""status""/);
    const lines = await get(`${path}.jsonl?act=remittances%20fail&limit=1`, headers);
    expect(lines.headers['content-type']).toBe('application/jsonl; charset=utf-8');
    expect(JSON.parse(lines.text)).toMatchObject({
      subject: 'stuck-2',
      reason: '=cmd',
      after: { status: 'FAILED' },
    });
    for (const file of [`${path}.csv`, `${path}.jsonl`]) {
      expect((await get(file, { 'x-api-key': KEYS.acme })).status).toBe(403);
      expect((await get(file, {})).status).toBe(401);
    }
  });
});
