import { beforeAll, describe, expect, test } from '@jest/globals';
import { type JournalLine, sumLines } from '../../subgraphs/ledger/index.ts';
import { OPERATION_STATUSES } from '../../subgraphs/operations/index.ts';
import { postingsOf } from '../../subgraphs/operations/postings.ts';
import { createOperationModels } from '../../subgraphs/operations/store/model.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { makeJobDue } from '../support/idle.ts';
import { queryGraph } from '../support/money-requests.ts';
import { makePayments, type Payments } from '../support/payments.ts';
import { useScene } from '../support/scene.ts';
import { KEYS } from '../support/seed.ts';
import { until } from '../support/until.ts';

const DAY_SECONDS = 86_400;
const ZONE = 'America/Mexico_City';
const FIELDS = `id period name currency timeZone from to opening { account amount }
  movements { kind entries amounts { account amount } } fees fx closing { account amount }
  entriesAfter lastEntry hashBefore hash createdAt`;

interface Amount {
  readonly account: JournalLine['account'];
  readonly amount: string;
}

interface Statement {
  readonly id: string;
  readonly period: string;
  readonly name: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly opening: readonly Amount[];
  readonly closing: readonly Amount[];
  readonly movements: readonly { readonly kind: string; readonly entries: number }[];
  readonly lastEntry: number;
  readonly hash: string;
  readonly to: string;
}

const scene = useScene();
let payments: Payments;

const ask = async <T>(query: string, variables: Record<string, unknown> = {}, key?: string): Promise<T> => {
  const { data, errors } = await queryGraph<T>(payments.exchange, query, variables, key);
  expect(errors).toBeUndefined();
  if (data == null) {
    throw new Error('The graph has answered nothing');
  }
  return data;
};
const list = async (where: object = {}, key?: string) => {
  const query = `query ($where: StatementWhereInput) { statements(first: 50, where: $where) { nodes { ${FIELDS} } } }`;
  const { statements } = await ask<{ statements: { nodes: Statement[] } }>(query, { where }, key);
  return statements.nodes;
};
const get = (path: string, key: string = KEYS.acme) =>
  payments.exchange({ method: 'GET', path, headers: { 'X-API-Key': key } });
/** Has the clock of the sandbox go on, and waits for the statements of a currency. */
const issueAfter = async (seconds: number, count: number) => {
  await ask(
    'mutation ($seconds: Int!) { advanceSandboxClock(input: { seconds: $seconds }) { sandbox { now } } }',
    {
      seconds,
    },
  );
  await makeJobDue(payments.target.connection, 'statements.issue');
  await until('the statements', async () => (await list({ period: 'DAY', currency: 'USD' })).length >= count);
};

beforeAll(async () => {
  payments = await makePayments(scene);
  await ask(
    `mutation { updateWebhookConfig(input: { webhookEvents: ["statement.ready"] }) { userErrors { code } } }`,
  );
  await ask(
    `mutation { updateOperationalEventsConfig(input: { timeZone: "${ZONE}" }) { userErrors { code } } }`,
  );
  await issueAfter(2 * DAY_SECONDS, 2);
});

/** The lines that events give by the posting rules, without the journal. */
async function linesOfEvents(): Promise<JournalLine[]> {
  const { connection } = payments.target;
  const accountId = 'acme/sandbox';
  const operations = await createOperationModels(connection).operations.find({ accountId }).lean();
  const events = await createEventModels(connection)
    .events.find({ accountId, entity: 'operation' })
    .sort({ version: 1 })
    .lean();
  return operations.flatMap((operation) => {
    const moves = events
      .filter(({ entityId }) => entityId === operation.operationId)
      .flatMap(({ status, version }) =>
        OPERATION_STATUSES.filter((to) => to === status).map((to) => ({ to, version })),
      );
    return postingsOf(operation, [], moves).flatMap(({ lines }) => lines);
  });
}

describe('the statements of a partner', () => {
  test('are of days of its time zone, each beginning where the last one ended', async () => {
    const statements = (await list({ period: 'DAY', currency: 'USD' })).toReversed();
    const [first, second] = statements;
    expect(first).toMatchObject({ timeZone: ZONE, opening: [], movements: expect.any(Array) });
    expect(first?.movements.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['CLAIM', 'FUNDING']));
    expect(first?.to).toMatch(/T06:00:00\.000Z$/);
    expect(second).toMatchObject({
      opening: first?.closing,
      from: first?.to,
      hashBefore: first?.hash,
      movements: [],
    });
  });

  test('add up to the journal and to the events', async () => {
    const last = await list({ period: 'DAY' });
    const latest = last.filter(({ name }) => name === last[0]?.name);
    const closing = sumLines(
      latest.flatMap(({ currency, closing: amounts }) => amounts.map((amount) => ({ ...amount, currency }))),
    );
    const { ledgerBalances } = await ask<{ ledgerBalances: { entries: number; balances: JournalLine[] } }>(
      '{ ledgerBalances { entries balances { account currency amount } } }',
    );
    expect(closing.length).toBeGreaterThan(3);
    expect(closing).toEqual(sumLines(ledgerBalances.balances));
    expect(closing).toEqual(sumLines(await linesOfEvents()));
    expect(latest.map(({ lastEntry }) => lastEntry)).toEqual(latest.map(() => ledgerBalances.entries));
  });

  test('are the same in REST, with a page, a filter and a file', async () => {
    const [statement] = await list({ period: 'DAY', currency: 'USD' });
    const found = await get(`/v1/statements/${statement?.id}`);
    expect(found.status).toBe(200);
    expect(JSON.parse(found.text)).toMatchObject({ id: statement?.id, period: 'day', hash: statement?.hash });
    const page = JSON.parse((await get('/v1/statements?first=1&period=day&currency=USD')).text);
    expect(page.statements).toEqual([JSON.parse(found.text)]);
    const next = JSON.parse(
      (await get(`/v1/statements?first=1&period=day&currency=USD&after=${page.nextCursor}`)).text,
    );
    expect(next.statements[0].to).toBe(page.statements[0].from);
    const file = await get(`/v1/statements/${statement?.id}.csv`);
    expect([file.status, file.headers['content-type']]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    expect(file.text.split('\r\n')).toHaveLength(2 + 2 * (statement?.closing.length ?? 0));
    expect((await get(`/v1/statements/${statement?.id}.csv`)).headers.etag).toBe(file.headers.etag);
  });

  test.each([
    ['/v1/statements/2020-01-01-USD', 404, 'STATEMENT_NOT_FOUND'],
    ['/v1/statements/2020-01-01-USD.csv', 404, 'STATEMENT_NOT_FOUND'],
    ['/v1/statements?first=0', 422, 'VALIDATION_FAILED'],
    ['/v1/statements?first=1&first=2', 422, 'VALIDATION_FAILED'],
    ['/v1/statements?period=year', 422, 'VALIDATION_FAILED'],
    ['/v1/statements?currency=usd', 422, 'VALIDATION_FAILED'],
    ['/v1/statements?after=nothing', 422, 'VALIDATION_FAILED'],
  ])('answers %s by %d', async (path, status, code) => {
    const answer = await get(path);
    expect([answer.status, answer.headers['x-error-code']]).toEqual([status, code]);
  });

  test('need the scope partner', async () => {
    const { errors } = await queryGraph(
      payments.exchange,
      '{ statements { totalCount } }',
      {},
      KEYS.acmeWithoutPartner,
    );
    expect(errors?.map(({ extensions }) => extensions?.code)).toContain('FORBIDDEN');
    for (const path of ['/v1/statements', '/v1/statements?first=0', '/v1/statements/none']) {
      expect((await get(path, KEYS.acmeWithoutPartner)).status).toBe(403);
    }
    expect((await get('/v1/statements', 'raas_sandbox_nobody_at_all')).status).toBe(401);
  });

  test.each([
    ['another partner', KEYS.globex],
    ["the partner's other environment", KEYS.acmeLive],
  ])('are not those of %s', async (_who, key) => {
    const [statement] = await list();
    expect(await list({}, key)).toEqual([]);
    const query = 'query ($id: ID!) { statement(id: $id) { id } }';
    expect(await ask(query, { id: statement?.id })).toEqual({ statement: { id: statement?.id } });
    expect(await ask(query, { id: statement?.id }, key)).toEqual({ statement: null });
    expect(await ask(query, { id: `acme/sandbox|${statement?.id}` }, key)).toEqual({ statement: null });
    expect((await get(`/v1/statements/${statement?.id}`, key)).status).toBe(404);
    expect((await get(`/v1/statements/${statement?.id}.csv`, key)).status).toBe(404);
  });

  test('have a webhook each', async () => {
    const { webhookDeliveries } = await ask<{ webhookDeliveries: { totalCount: number } }>(
      '{ webhookDeliveries(where: { event: "statement.ready" }) { totalCount } }',
    );
    expect(webhookDeliveries.totalCount).toBe((await list()).length);
  });

  test('go with the reset of the sandbox', async () => {
    await ask('mutation { resetSandbox { userErrors { code } } }');
    await makeJobDue(payments.target.connection, 'sandboxes.reset');
    await until('the end of the reset', async () => {
      const { sandbox } = await ask<{ sandbox: { reset: { state: string } } }>(
        '{ sandbox { reset { state } } }',
      );
      return sandbox.reset.state === 'DONE';
    });
    expect(await list()).toEqual([]);
    const left = await payments.target.connection.collection('statementClosings').countDocuments();
    expect(left).toBe(0);
  });
});
