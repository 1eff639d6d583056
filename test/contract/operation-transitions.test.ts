import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Exchange, injectInto, type RawResponse } from '../support/http.ts';
import { newReference } from '../support/money-requests.ts';
import { useScene } from '../support/scene.ts';
import { INTERNAL_KEY, KEYS } from '../support/seed.ts';
import { buildTestApp } from '../support/test-app.ts';

/** Decisions, section 2, "Operation transitions", to the letter. */
const RULE =
  'Sent → Funding, Accepted, Rejected, Cancelled, OnHold; Funding → Funded, Failed, Cancelled, OnHold; Accepted → Funding, Funded, Rejected, Cancelled, OnHold; Funded → InTransit, ReadyForPickup, Completed, Failed, OnHold; InTransit → ReadyForPickup, Completed, Failed, OnHold; ReadyForPickup → Completed, Failed, Cancelled; OnHold → the state it came from, Rejected, Failed, Cancelled';

/** Document 1, "States and transitions". */
const STATUSES =
  'Sent, Funding, Funded, Accepted, Rejected, ReadyForPickup, Completed, Failed, OnHold, InTransit, Cancelled'.split(
    ', ',
  );

const allowed = new Map(
  RULE.split('; ').map((row) => {
    const [from = '', to = ''] = row.split(' → ');
    return [from, to.split(', ')] as const;
  }),
);

/** Every state by the moves that lead to it from `Sent`; of `OnHold` every one that it may have come from. */
const WAYS: readonly (readonly string[])[] = [
  [],
  ['Funding'],
  ['Accepted'],
  ['Funding', 'Funded'],
  ['Funding', 'Funded', 'InTransit'],
  ['Funding', 'Funded', 'ReadyForPickup'],
  ['OnHold'],
  ['Funding', 'OnHold'],
  ['Accepted', 'OnHold'],
  ['Accepted', 'Funded', 'OnHold'],
  ['Accepted', 'Funded', 'InTransit', 'OnHold'],
  ['Funding', 'Funded', 'Completed'],
  ['OnHold', 'Failed'],
  ['OnHold', 'Rejected'],
  ['Funding', 'Funded', 'ReadyForPickup', 'Cancelled'],
];

const scene = useScene();
let exchange: Exchange;
let user = '';
beforeAll(async () => {
  const { env } = await scene.deploy();
  const { app, close } = await buildTestApp(env);
  scene.atEnd(close);
  exchange = injectInto(app);
  const registered = await post('/v1/user/register-v2', {
    phoneNumber: '+525512345678',
    firstName: 'Ana',
    lastName: 'Ruiz',
    address1: 'Reforma 1',
    countryCode: 'MX',
    city: 'Ciudad de México',
    state: 'CMX',
  });
  user = (JSON.parse(registered.text) as { userId: string }).userId;
});

function post(path: string, body: object): Promise<RawResponse> {
  return exchange({ method: 'POST', path, headers: { api_key: KEYS.acme }, body: JSON.stringify(body) });
}

function move(operationId: string, status: string): Promise<RawResponse> {
  return exchange({
    method: 'PATCH',
    path: `/v1/internal/operations/${operationId}/status`,
    headers: { 'X-Internal-Key': INTERNAL_KEY },
    body: JSON.stringify({ partnerId: 'acme', status }),
  });
}

async function detail(operationId: string): Promise<string> {
  const path = `/v1/user/operations/detail/${operationId}`;
  return (await exchange({ method: 'GET', path, headers: { api_key: KEYS.acme } })).text;
}

/** An operation that has gone this way. */
async function operationAt(way: readonly string[]): Promise<string> {
  const correlationId = newReference();
  const made = await post(`/v1/user/operations/request-money-v2/${user}`, {
    requestTo: '+13055550100',
    correlationId,
    recipientAmount: 20.1,
    recipientCurrency: 'MXN',
    destinationPaymentMethod: { type: 'CashPickup', country: 'MX' },
  });
  expect(made.status).toBe(200);
  for (const status of way) {
    expect((await move(correlationId, status)).status).toBe(200);
  }
  return correlationId;
}

const cases = WAYS.map((way) => [['Sent', ...way].join(', '), way] as const);

describe('The moves of an operation', () => {
  test('there is a way to every state here, and the rule names them all', () => {
    const reached = WAYS.map((way) => way.at(-1) ?? 'Sent');
    expect([...new Set(reached)].toSorted()).toEqual(STATUSES.toSorted());
    expect(allowed.size).toBe(STATUSES.length - 4);
  });

  test.each(cases)('after %s: what the rule has, and nothing else', async (_name, way) => {
    const [from = 'Sent', before = 'Sent'] = way.toReversed();
    const next = new Set(
      (allowed.get(from) ?? []).map((to) => (to === 'the state it came from' ? before : to)),
    );
    const moved = await operationAt(way);
    const record = await detail(moved);
    for (const status of STATUSES.filter((one) => one !== from && !next.has(one))) {
      const rejected = await move(moved, status);
      expect([status, rejected.status, rejected.text]).toEqual([
        status,
        409,
        expect.stringMatching(/^\{"error":\{"code":"INVALID_TRANSITION","message":"[^"]+"\}\}$/),
      ]);
    }
    expect(await detail(moved)).toBe(record);

    for (const status of next) {
      const operationId = await operationAt(way);
      const moved = await move(operationId, status);
      expect([status, moved.status]).toEqual([status, 200]);
      expect(JSON.parse(await detail(operationId))).toMatchObject({ status, cancelable: status === 'Sent' });
    }
  });
});
