import { makeLink } from '../support/console-session.ts';
import type { Deployment } from '../support/deployment.ts';
import { fillFigures } from '../support/fill-figures.ts';
import { type Exchange, exchangeWith } from '../support/http.ts';
import { CASH, callerOf, personOf } from '../support/isolation/tenant-data.ts';
import {
  createMoneyRequest,
  moneyRequestBody,
  newReference,
  queryGraph,
  updateStatus,
} from '../support/money-requests.ts';
import { makePlatformCode } from '../support/platform-link.ts';
import { KEYS } from '../support/seed.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/until.ts';

/** Settings with which webhooks are given up at once, and a failed step of an atomic call is not tried again soon. */
export const STAGE_ENV = {
  WEBHOOK_SWEEP_SECONDS: '1',
  WEBHOOK_RETRY_SECONDS: '0',
  WEBHOOK_MAX_ATTEMPTS: '2',
  PIPELINE_RETRY_SECONDS: '3600',
} as const;

/** Ids of records that show what a screen can show. */
export interface StageIds {
  /** An operation that was completed, with its money request. */
  readonly operation: string;
  readonly moneyRequest: string;
  /** A money request whose webhooks were given up. */
  readonly unanswered: string;
  /** An atomic call that was rejected, and one that is stuck. */
  readonly failedCall: string;
  readonly stuckCall: string;
  /** A webhook that was given up. */
  readonly deadLetter: string;
  readonly user: string;
  /** Another user, and the nodeId of a contact of it. */
  readonly contactUser: string;
  readonly contact: string;
  readonly link: string;
}

/** A server whose partner acme has records in every state. */
export interface Stage {
  readonly url: string;
  readonly server: Server;
  readonly exchange: Exchange;
  readonly ids: StageIds;
  /** An address that signs in, once. */
  link(access: 'READ' | 'ADMIN', key?: string): Promise<string>;
  /** An address that signs in one of the platform's operators, once. */
  platformLink(): Promise<string>;
  /** Has the partner's receiver answer with success again. */
  restoreReceiver(): void;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The statuses that the payments go through, one after the other. */
const LIVES: readonly (readonly string[])[] = [
  ['processing', 'completed'],
  ['processing', 'completed'],
  ['processing'],
  ['processing', 'rejected'],
  ['processing', 'completed'],
  [],
  ['processing', 'completed'],
  ['cancelled'],
  ['processing', 'completed'],
];
const NAMES = [
  ['Ana', 'Ruiz'],
  ['María Fernanda', 'Gutiérrez Sandoval'],
  ['Luis', 'Ortega'],
  ['Beatriz', 'Núñez'],
  ['Jorge', 'Ibarra'],
] as const;

/** Fills a deployment with what the console shows, and starts a server on it. */
export async function fillStage(deployment: Deployment): Promise<Stage> {
  const server = await deployment.start();
  const { url } = server;
  const exchange = exchangeWith(url);
  const unanswered = newReference();
  deployment.receiver.answer(({ text }) => (text.includes(unanswered) ? 503 : 204));
  await addEndpoint(exchange, `${deployment.receiver.url}/audit`);
  const link = await makeUserLink(exchange);
  const [moneyRequest = ''] = await makePayments(exchange);
  await createMoneyRequest(exchange, moneyRequestBody(unanswered));
  await createMoneyRequest(exchange, moneyRequestBody(newReference(), { amount: -1 }));
  const calls = { paidCall: 'call-0001', failedCall: 'call-0002', stuckCall: 'call-0003' };
  await requestFull(exchange, calls.paidCall, 'Campos');
  await requestFull(exchange, calls.failedCall, 'CIPFAIL');
  await requestFull(exchange, calls.stuckCall, 'VALIDATORDOWN');
  const found = await untilSettled(exchange, { ...calls, moneyRequest });
  await spreadOverTime(deployment, calls.stuckCall);
  return {
    url,
    server,
    exchange,
    ids: { ...calls, ...link, ...found, moneyRequest, unanswered },
    link: async (access, key = KEYS.acme) => {
      const { code } = await makeLink(exchange, key, { access, label: 'Ana Ruiz' });
      return `${url}/console/#code=${code}`;
    },
    platformLink: async () => `${url}/console/#code=${await makePlatformCode(deployment)}`,
    restoreReceiver: () => deployment.receiver.answer(() => 204),
  };
}

async function addEndpoint(exchange: Exchange, url: string): Promise<void> {
  const add = `mutation ($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { userErrors { code } }
  }`;
  await mutate(exchange, add, { url, events: ['operation.completed', 'request_money.failed'] });
}

async function mutate(exchange: Exchange, query: string, input: object): Promise<void> {
  const { errors } = await queryGraph(exchange, query, { input });
  if (errors) {
    throw new Error(JSON.stringify(errors));
  }
}

/** A user with a link that was opened. */
async function makeUserLink(exchange: Exchange): Promise<Pick<StageIds, 'user' | 'link'>> {
  const call = callerOf({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
  const userData = { name: { firstName: 'Ana', lastName: 'Ruiz' }, dob: '1991-03-29' };
  const body = { flow: 'transfer', referenceId: 'u-77', userData };
  const { linkId, userId } = JSON.parse(await call('POST', '/partner/links', body)).data;
  await call('POST', `/v1/internal/links/${linkId}/open`);
  return { link: linkId, user: userId };
}

/** Payments in every status. @returns the reference of each */
async function makePayments(exchange: Exchange): Promise<string[]> {
  const references: string[] = [];
  for (const [index, statuses] of LIVES.entries()) {
    const referenceId = newReference();
    references.push(referenceId);
    const answers = [await createMoneyRequest(exchange, paymentBody(referenceId, index))];
    for (const status of statuses) {
      answers.push(await updateStatus(exchange, { referenceId, status }));
    }
    const rejected = answers.find(({ status }) => status >= 300);
    if (rejected) {
      throw new Error(`A payment of the stage was rejected: ${rejected.text}`);
    }
  }
  return references;
}

function paymentBody(referenceId: string, index: number) {
  const { requestData } = moneyRequestBody(referenceId);
  const [firstName, lastName] = NAMES[index % NAMES.length] ?? NAMES[0];
  const changes = index === 0 ? {} : { userReferenceId: `u-${77 + index}`, name: { firstName, lastName } };
  const amount = Math.round((1500.5 + index * 2731.37) * 100) / 100;
  return moneyRequestBody(referenceId, { amount, requestData: { ...requestData, ...changes } });
}

/** Accepts an atomic call. Its requester's last name says how it ends, see gateway/docs/sandbox.md. */
async function requestFull(exchange: Exchange, correlationId: string, lastName: string): Promise<void> {
  const call = callerOf({ accountId: 'acme/sandbox', key: KEYS.acme }, exchange);
  const phoneNumber = `+52551000${correlationId.slice(-4)}`;
  const requester = { ...personOf(() => 'Elena'), lastName, phoneNumber };
  const requestTo = { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
  const request = { recipientCurrency: 'MXN', recipientAmount: 930.1, correlationId, requestTo };
  const body = { requester, request: { ...request, destinationPaymentMethod: CASH } };
  await call('POST', '/v1/user/operations/request-money-full', body);
}

interface Settled {
  readonly requestMoney: { readonly operation: { readonly id: string } | null } | null;
  readonly failed: { readonly status: string } | null;
  readonly paid: {
    readonly status: string;
    readonly user: {
      readonly id: string;
      readonly contacts: { readonly nodes: readonly { readonly nodeId: string }[] };
    };
  } | null;
  readonly stuck: { readonly attempts: number; readonly nextAttemptAt: string | null } | null;
  readonly pending: { readonly totalCount: number };
  readonly dead: { readonly nodes: readonly { readonly id: string }[] };
}

const SETTLED = `query ($moneyRequest: String!, $paidCall: ID!, $failedCall: ID!, $stuckCall: ID!) {
  requestMoney(referenceId: $moneyRequest) { operation { id } }
  failed: remittance(correlationId: $failedCall) { status }
  paid: remittance(correlationId: $paidCall) { status user { id contacts(first: 1) { nodes { nodeId } } } }
  stuck: remittance(correlationId: $stuckCall) { attempts nextAttemptAt }
  pending: webhookDeliveries(where: { status: PENDING }) { totalCount }
  dead: webhookDeliveries(where: { status: DEAD_LETTERED }, first: 1) { nodes { id } }
}`;

/** Waits until the product has done all that it does by itself. */
async function untilSettled(
  exchange: Exchange,
  variables: Record<string, unknown>,
): Promise<Pick<StageIds, 'operation' | 'deadLetter' | 'contactUser' | 'contact'>> {
  let found: Settled | null | undefined;
  await until('all of it has happened', async () => {
    found = (await queryGraph<Settled>(exchange, SETTLED, variables)).data;
    return (
      found?.failed?.status === 'FAILED' &&
      found.paid?.status === 'SUCCEEDED' &&
      found.stuck?.nextAttemptAt != null &&
      found.pending.totalCount === 0 &&
      found.dead.nodes.length > 0
    );
  });
  return {
    operation: String(found?.requestMoney?.operation?.id),
    deadLetter: String(found?.dead.nodes[0]?.id),
    contactUser: String(found?.paid?.user.id),
    contact: String(found?.paid?.user.contacts.nodes[0]?.nodeId),
  };
}

/** Payments of the last days, the newest of today, and an atomic call that has waited for long. */
async function spreadOverTime(deployment: Deployment, stuckCall: string): Promise<void> {
  const connection = await deployment.database();
  const now = Date.now();
  const rows = await connection.collection('operations').find({ accountId: 'acme/sandbox' }).toArray();
  for (const [index, { _id }] of rows.entries()) {
    const createdAt = new Date(now - ((index * 5) % 7) * DAY_MS - (index % 3) * HOUR_MS);
    await connection.collection('operations').updateOne({ _id }, { $set: { createdAt } });
  }
  await fillFigures(connection);
  const [stuck] = await connection
    .collection('remittances')
    .find({ accountId: 'acme/sandbox', correlationId: stuckCall })
    .toArray();
  if (!stuck) {
    throw new Error('There is no stuck call');
  }
  const since = new Date(now - 2 * HOUR_MS);
  await connection
    .collection('remittances')
    .updateOne({ _id: stuck._id }, { $set: { createdAt: since, phaseSince: since } });
}
