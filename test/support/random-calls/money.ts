import { deepStrictEqual } from 'node:assert/strict';
import { environmentOf, partsOf, tenantOf } from '../../../subgraphs/kernel/account.ts';
import { moneyRequestBody } from '../money-requests.ts';
import { checkAnswer, graph, rest } from './calls.ts';
import {
  type Model,
  type MoneyRequest,
  NEXT,
  newAmount,
  newest,
  type Operation,
  pickOrMake,
  STATUSES,
  type Status,
  type World,
} from './model.ts';

const SHOWN = 10;
/** The most webhooks about failed calls that a search finds. */
const SHOWN_FAILURES = 4;

/** A reference of money requests and operations: one that is new, or that some accounts may have. */
export const referenceOf = (world: World) =>
  pickOrMake(world.pool.references, world, (nth) => `r${nth.toString(36).padStart(7, '0')}`);

function bodyOf(referenceId: string, amount: number, userReferenceId: string) {
  const { requestData, ...fields } = moneyRequestBody(referenceId, { amount });
  return { ...fields, requestData: { ...requestData, userReferenceId } };
}

function remember(model: Model, request: MoneyRequest, userReferenceId: string): void {
  model.money.set(request.referenceId, request);
  model.named.add(userReferenceId);
  report(model, request, 'operation_created');
}

function report(model: Model, { referenceId, amount, status }: MoneyRequest, event = 'operation_updated') {
  model.webhooks.push(`${event} ${referenceId} ${amount} ${status}`);
  model.changes.push(`${referenceId} ${amount} ${status}`);
}

function fail(model: Model, referenceId: string, code: string): void {
  model.webhooks.push(`operation_error ${referenceId} ${code}`);
}

/** Creates by REST; the same again has the same answer, and another one of the same reference fails. */
const createByRest: Operation = async (world, model) => {
  const referenceId = referenceOf(world);
  const before = model.money.get(referenceId);
  const userReferenceId = world.random.pick(world.pool.people);
  const isRepeated = before?.answer !== undefined && world.random.chance(50);
  const body = isRepeated ? before.body : bodyOf(referenceId, newAmount(model, world), userReferenceId);
  const headers: Record<string, string> =
    before && !isRepeated ? {} : { 'Idempotency-Key': `key-${referenceId}` };
  const answer = await rest(world, model, ['POST', '/v1/request-money'], body, headers);
  if (isRepeated) {
    deepStrictEqual([answer.status, answer.text], [201, before.answer]);
  } else if (before) {
    checkAnswer(answer, 409);
    fail(model, referenceId, 'LEGACY_REFERENCE_EXISTS');
  } else {
    checkAnswer(answer, 201, { referenceId, status: 'pending' });
    const { amount } = body as { readonly amount: number };
    remember(model, { referenceId, amount, body, answer: answer.text, status: 'pending' }, userReferenceId);
  }
};

const CREATE = `mutation ($input: CreateRequestMoneyInput!) { createRequestMoney(input: $input) {
  requestMoney { referenceId amount { amount } status } userErrors { code } } }`;

const createByGraph: Operation = async (world, model) => {
  const referenceId = referenceOf(world);
  const before = model.money.get(referenceId);
  const userReferenceId = world.random.pick(world.pool.people);
  const amount = newAmount(model, world);
  const { requestData, ...body } = bodyOf(referenceId, amount, userReferenceId);
  const input = {
    ...body,
    amount: String(amount),
    requestData: { ...requestData, payoutMethod: 'BANK_ACCOUNT' },
  };
  const { createRequestMoney } = await graph<{ createRequestMoney: object }>(world, model, CREATE, { input });
  if (before) {
    deepStrictEqual(createRequestMoney, {
      requestMoney: null,
      userErrors: [{ code: 'LEGACY_REFERENCE_EXISTS' }],
    });
    fail(model, referenceId, 'LEGACY_REFERENCE_EXISTS');
    return;
  }
  const requestMoney = { referenceId, amount: { amount: String(amount) }, status: 'PENDING' };
  deepStrictEqual(createRequestMoney, { requestMoney, userErrors: [] });
  remember(model, { referenceId, amount, body, answer: undefined, status: 'pending' }, userReferenceId);
};

const lookUp: Operation = async (world, model) => {
  const referenceId = referenceOf(world);
  const answer = await rest(world, model, ['GET', `/v1/request-money/${referenceId}`]);
  const known = model.money.get(referenceId);
  checkAnswer(answer, known ? 200 : 404, known && { referenceId, status: known.status });
};

const READ = `query ($id: String!, $status: [RequestMoneyStatus!], $first: Int) {
  requestMoney(referenceId: $id) { referenceId amount { amount } status }
  all: requestMonies(first: $first) { totalCount nodes { referenceId amount { amount } status } }
  some: requestMonies(first: $first, where: { status: $status }) { totalCount nodes { referenceId } }
  requestMoneyTotals(groupBy: [STATUS]) { status count amount { amount } }
  search(text: $id) { node {
    ... on RequestMoney { referenceId amount { amount } status }
    ... on Operation { correlationId recipient { amount } }
    ... on WebhookDelivery { event }
  } }
}`;

interface Read {
  readonly requestMoney: object | null;
  readonly all: object;
  readonly some: object;
  readonly requestMoneyTotals: readonly { readonly status: string }[];
  readonly search: readonly { readonly node: object }[];
}

const byText = (one: object, other: object) => JSON.stringify(one).localeCompare(JSON.stringify(other));

/** The result of a search: records with the reference; without a money request, webhooks about calls that failed with it. */
function foundBy(model: Model, id: string, known: object | undefined): { readonly node: object }[] {
  const asked = model.operations.get(id);
  const operation = { correlationId: id, recipient: { amount: String(asked) } };
  const failures = model.webhooks.filter((text) => text.startsWith(`operation_error ${id} `));
  const deliveries = failures.slice(0, SHOWN_FAILURES).map(() => ({ event: 'operation_error' }));
  const records = [...(known ? [known] : deliveries), ...(asked === undefined ? [] : [operation])];
  return records.map((node) => ({ node }));
}

/** Reads one, lists, counts, sums and searches. */
const read: Operation = async (world, model) => {
  const id = referenceOf(world);
  const status = world.random.pick(STATUSES);
  const variables = { id, status: [status.toUpperCase()], first: SHOWN };
  const found = await graph<Read>(world, model, READ, variables);
  const shown = ({ referenceId, amount, status: its }: MoneyRequest) => ({
    ...{ referenceId, amount: { amount: String(amount) }, status: its.toUpperCase() },
  });
  const known = model.money.get(id);
  const all = [...model.money.values()];
  const some = new Map(all.filter((one) => one.status === status).map((one) => [one.referenceId, one]));
  const totals = STATUSES.flatMap((group) => {
    const those = all.filter((one) => one.status === group);
    const sum = those.reduce((before, { amount }) => before + amount, 0);
    const total = { status: group.toUpperCase(), count: those.length, amount: { amount: String(sum) } };
    return those.length === 0 ? [] : [total];
  });
  const byStatus = (one: { readonly status: string }, other: { readonly status: string }) =>
    one.status.localeCompare(other.status);
  deepStrictEqual(
    {
      ...found,
      requestMoneyTotals: found.requestMoneyTotals.toSorted(byStatus),
      search: found.search.toSorted(byText),
    },
    {
      requestMoney: known ? shown(known) : null,
      all: { totalCount: all.length, nodes: newest(model.money, SHOWN).map(shown) },
      some: {
        totalCount: some.size,
        nodes: newest(some, SHOWN).map(({ referenceId }) => ({ referenceId })),
      },
      requestMoneyTotals: totals.toSorted(byStatus),
      search: foundBy(model, id, known && shown(known)).toSorted(byText),
    },
  );
};

/** The effect of a status update on a model, and the HTTP status of its answer. */
function expectMove(model: Model, referenceId: string, status: Status): number {
  const known = model.money.get(referenceId);
  if (!known) {
    fail(model, referenceId, 'REQUEST_MONEY_NOT_FOUND');
    return 404;
  }
  if (known.status !== status && !NEXT[known.status].includes(status)) {
    fail(model, referenceId, 'INVALID_TRANSITION');
    return 409;
  }
  if (known.status !== status) {
    known.status = status;
    report(model, known);
  }
  return 200;
}

/** The platform moves a money request of the account that it names. */
const move: Operation = async (world, model) => {
  const [referenceId, status] = [referenceOf(world), world.random.pick(STATUSES)];
  const { tenantId: partnerId, environment } = partsOf(model.accountId);
  const body = { partnerId, environment, referenceId, status };
  const answer = await rest(world, model, ['PATCH', '/v1/internal/remittances/status'], body);
  checkAnswer(answer, expectMove(model, referenceId, status));
};

/** The partner simulates a move: by a live key, it never has an effect. */
const simulate: Operation = async (world, model) => {
  const [referenceId, status] = [referenceOf(world), world.random.pick(STATUSES)];
  const call = ['POST', `/v1/sandbox/request-money/${referenceId}/status`] as const;
  const answer = await rest(world, model, call, { status });
  const isLive = environmentOf(model.accountId) === 'live';
  checkAnswer(answer, isLive ? 403 : expectMove(model, referenceId, status));
};

/** Only pending money requests can be cancelled; cancelling a cancelled one has no effect. */
const cancel: Operation = async (world, model) => {
  const referenceId = referenceOf(world);
  const answer = await rest(world, model, ['POST', `/v1/request-money/${referenceId}/cancel`]);
  const known = model.money.get(referenceId);
  const isPossible = known?.status === 'pending' || known?.status === 'cancelled';
  checkAnswer(answer, known === undefined ? 404 : isPossible ? 200 : 409);
  if (known?.status === 'pending') {
    known.status = 'cancelled';
    report(model, known);
  }
};

/** The platform names no environment: the one that has the record is meant, and nothing changes where both have it. */
export const moveUnnamed: Operation = async (world, model) => {
  const tenantId = tenantOf(model.accountId);
  const [referenceId, status] = [referenceOf(world), world.random.pick(STATUSES)];
  const having = world.models.filter(
    ({ accountId, money }) => tenantOf(accountId) === tenantId && money.has(referenceId),
  );
  const [only] = having;
  if (only === undefined) {
    return;
  }
  const body = { partnerId: tenantId, referenceId, status };
  const answer = await rest(world, model, ['PATCH', '/v1/internal/remittances/status'], body);
  checkAnswer(answer, having.length > 1 ? 409 : expectMove(only, referenceId, status));
};

/** The file has the rows of the list. */
const exportFile: Operation = async (world, model) => {
  const { status, text } = await rest(world, model, ['GET', '/exports/money-requests.csv']);
  const rows = text.split('\r\n').slice(1, -1);
  const found = rows.map((row) => /"(r[0-9a-z]{7})"/.exec(row)?.[1]);
  deepStrictEqual([status, found], [200, [...model.money.keys()].toReversed()]);
};

/** Each with its weight. */
export const MONEY_OPERATIONS: Readonly<Record<string, readonly [weight: number, operation: Operation]>> = {
  createByRest: [20, createByRest],
  createByGraph: [10, createByGraph],
  lookUp: [10, lookUp],
  read: [12, read],
  move: [14, move],
  simulate: [8, simulate],
  cancel: [8, cancel],
  exportFile: [1, exportFile],
};
