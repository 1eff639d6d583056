import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Exchange, injectInto } from '../support/http.ts';
import {
  createMoneyRequest,
  lookUp,
  moneyRequestBody,
  newReference,
  updateStatus,
} from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY } from '../support/seed.ts';
import { buildTestApp, type TestApp } from '../support/test-app.ts';

/** Decisions, section 7, "An ask and its fulfilling operation", to the letter. */
const RULE =
  'Completed → completed; Rejected → rejected; Failed → rejected; Cancelled → cancelled; Sent → processing; Accepted → processing; Funding → processing; Funded → processing; InTransit → processing; OnHold → processing; ReadyForPickup → processing';

const moneyRequestStatusOf = new Map(RULE.split('; ').map((row) => row.split(' → ') as [string, string]));

/** A reported status: of the money request in document 2's words, or of the operation in document 1's. */
type Reported = readonly ['moneyRequest' | 'operation', string];

const reported = fc.oneof<fc.Arbitrary<Reported>[]>(
  fc
    .constantFrom('processing', 'completed', 'rejected', 'cancelled')
    .map((status): Reported => ['moneyRequest', status]),
  // Final statuses are reported as often as others, or most sequences would be over at once.
  fc
    .constantFrom(...[...moneyRequestStatusOf.keys()], 'Funded', 'OnHold', 'Funding', 'InTransit')
    .map((status): Reported => ['operation', status]),
);
/** Steps one after the other, each of up to three calls at once. */
const sequence = fc.array(fc.array(reported, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 7 });

const scene = useScene();
let exchange: Exchange;
let connection: TestApp['connection'];
let tenants: TestApp['subgraphs']['tenants'];
beforeAll(async () => {
  const { env } = await scene.deploy();
  const built = await buildTestApp(env);
  scene.atEnd(built.close);
  exchange = injectInto(built.app);
  connection = built.connection;
  tenants = built.subgraphs.tenants;
});

function moveOperation(operationId: string, status: string) {
  return exchange({
    method: 'PATCH',
    path: `/v1/internal/operations/${operationId}/status`,
    headers: { 'X-Internal-Key': INTERNAL_KEY },
    body: JSON.stringify({ partnerId: 'acme', status }),
  });
}

/** A money request of a user of its own that is being paid. */
async function begin(): Promise<{ referenceId: string; operationId: string }> {
  const referenceId = newReference();
  const { requestData } = moneyRequestBody(referenceId);
  const body = moneyRequestBody(referenceId, {
    requestData: { ...requestData, userReferenceId: `u-${referenceId}` },
  });
  expect((await createMoneyRequest(exchange, body)).status).toBe(201);
  const operationId = `op-${referenceId}`;
  expect((await updateStatus(exchange, { referenceId, status: 'processing', operationId })).status).toBe(200);
  return { referenceId, operationId };
}

interface Move {
  version: number;
  previousStatus: string | null;
  status: string;
}

const rows = (collection: string, filter: object) =>
  connection.collection<Move>(collection).find(filter).sort({ version: 1 }).toArray();

/** Where a log of moves leads: each must go on from where the one before it has ended. */
function replay(moves: readonly Move[]): string | null {
  return moves.reduce<string | null>((status, move, index) => {
    expect([move.version, move.previousStatus]).toEqual([index + 1, status]);
    return move.status;
  }, null);
}

/** The status of both; it must agree, and equal the end of their logs. */
async function readStates({ referenceId, operationId }: { referenceId: string; operationId: string }) {
  const moneyRequest = JSON.parse((await lookUp(exchange, referenceId)).text) as { status: string };
  const operation = await connection
    .collection('operations')
    .findOne({ accountId: 'acme/sandbox', operationId });
  const log = (entity: string, entityId: string) =>
    rows('events', { accountId: 'acme/sandbox', entity, entityId });
  const moneyRequestLog = await log('requestMoney', referenceId);
  const operationLog = await log('operation', operationId);
  const history = await rows('operationHistory', { accountId: 'acme/sandbox', operationId });
  expect(moneyRequest.status).toBe(moneyRequestStatusOf.get(String(operation?.status)));
  expect(replay(moneyRequestLog)).toBe(moneyRequest.status);
  expect(replay(operationLog)).toBe(operation?.status);
  expect(history.map(({ status }) => status)).toEqual(operationLog.map(({ status }) => status));
  return { status: moneyRequest.status, moves: [moneyRequestLog.length, operationLog.length] };
}

test('after any statuses of either, also at once, money request and operation agree, and their logs replay to it', async () => {
  await fc.assert(
    fc.asyncProperty(sequence, async (steps) => {
      const both = await begin();
      let before = await readStates(both);
      for (const step of steps) {
        const answers = await Promise.all(
          step.map(([of, status]) =>
            of === 'moneyRequest'
              ? updateStatus(exchange, { referenceId: both.referenceId, status })
              : moveOperation(both.operationId, status),
          ),
        );
        for (const { status, text } of answers) {
          expect([200, 409]).toContain(status);
          expect(status === 200 || text).toEqual(
            status === 200 || expect.stringContaining('INVALID_TRANSITION'),
          );
        }
        const after = await readStates(both);
        if (answers.every(({ status }) => status === 409)) {
          expect(after).toEqual(before);
        }
        before = after;
      }
    }),
    { numRuns: 15 },
  );
}, 600_000); // Hundreds of calls: a slow store takes its time.

test('the same status of either again makes no event of either', async () => {
  const both = await begin();
  await moveOperation(both.operationId, 'Funded');
  await moveOperation(both.operationId, 'Completed');
  const before = await readStates(both);
  expect(before).toMatchObject({ status: 'completed', moves: [3, 3] });
  await Promise.all([
    moveOperation(both.operationId, 'Completed'),
    updateStatus(exchange, { referenceId: both.referenceId, status: 'completed' }),
  ]);
  expect(await readStates(both)).toEqual(before);
});

test('of two ends reported at once, one of each, one is the end of both', async () => {
  for (let round = 0; round < 5; round += 1) {
    const both = await begin();
    const answers = await Promise.all([
      updateStatus(exchange, { referenceId: both.referenceId, status: 'completed' }),
      moveOperation(both.operationId, 'Cancelled'),
      updateStatus(exchange, { referenceId: both.referenceId, status: 'rejected' }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { status, moves } = await readStates(both);
    expect(moves[0]).toBe(3);
    expect(status).toBe(
      ['completed', 'cancelled', 'rejected'][answers.findIndex((one) => one.status === 200)],
    );
  }
});

test('without a price a money request stays as it is, and an alert is raised; with one it completes', async () => {
  const pair = { source: 'USD', destination: 'MXN' };
  const referenceId = newReference();
  expect((await createMoneyRequest(exchange, moneyRequestBody(referenceId))).status).toBe(201);
  const { rate } = (await tenants.allFxRates()).find(
    (one) => one.destination === 'MXN' && one.source === 'USD',
  )!;
  await tenants.removeFxRate(pair);
  for (const status of ['processing', 'completed']) {
    const refused = await updateStatus(exchange, { referenceId, status });
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      409,
      { error: { code: 'NO_PRICE', message: 'There is no exchange rate from USD to MXN.' } },
    ]);
  }
  expect(JSON.parse((await lookUp(exchange, referenceId)).text)).toMatchObject({ status: 'pending' });
  const { text: metrics } = await exchange({ method: 'GET', path: '/metrics' });
  expect(metrics).toMatch(/^request_money_no_price_total 2$/m);
  const other = await createMoneyRequest(exchange, moneyRequestBody(newReference()));
  expect([other.status, JSON.parse(other.text).error]).toEqual([422, { code: 'ROUTE_NOT_AVAILABLE' }]);
  await tenants.upsertFxRate({ ...pair, rate });
  const completed = await updateStatus(exchange, { referenceId, status: 'completed' });
  expect(completed.status).toBe(200);
  const operation = await connection.collection('operations').findOne({ requestReferenceId: referenceId });
  expect(operation).toMatchObject({ status: 'Completed', exchangeRate: rate, senderCurrency: 'USD' });
});
