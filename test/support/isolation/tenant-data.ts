import { randomUUID } from 'node:crypto';
import { type AccountId, partsOf } from '../../../subgraphs/kernel/account.ts';
import { exchangeCode, LOCAL_PAGE, makeLink } from '../console-session.ts';
import type { Exchange } from '../http.ts';
import { queryGraph } from '../money-requests.ts';
import { INTERNAL_KEY } from '../seed.ts';
import { until } from '../until.ts';
import { changeDelivery, SEND_TEST } from '../webhook-graph.ts';
import {
  type ChosenName,
  type IdName,
  type Ids,
  type MadeName,
  newChosenIds,
  newPhone,
  newWord,
  QUOTE_NAMES,
} from './ids.ts';

export interface Tenant {
  readonly accountId: AccountId;
  readonly key: string;
}

/** The records of a tenant after {@link fillTenant}. */
export interface TenantData {
  readonly ids: Ids;
  /** Values of its own that are no ids: names, words, numbers of documents. */
  readonly secrets: readonly string[];
}

type Call = (method: string, path: string, body?: unknown, headers?: object) => Promise<string>;

interface Filling {
  readonly tenant: Tenant;
  readonly exchange: Exchange;
  readonly call: Call;
  readonly chosen: Readonly<Record<ChosenName, string>>;
  /** A new word of the tenant's own. */
  readonly word: () => string;
  readonly made: Map<MadeName, string>;
}

/** Calls as the tenant; its internal calls, too. @throws for an answer that is no success */
export function callerOf({ key }: Tenant, exchange: Exchange): Call {
  return async (method, path, body, more = {}) => {
    const credentials = path.startsWith('/v1/internal/')
      ? { 'X-Internal-Key': INTERNAL_KEY }
      : { 'X-API-Key': key };
    const headers = { ...credentials, 'content-type': 'application/json', ...more };
    const text = body === undefined ? undefined : JSON.stringify(body);
    const answer = await exchange({ method, path, headers, ...(text !== undefined && { body: text }) });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path} answered ${answer.status}: ${answer.text}`);
    }
    return answer.text;
  };
}

/**
 * Has a tenant do everything that leaves something behind, once, by REST; ends when all of it is done.
 * @param chosen the ids that it chooses: those of another account, so that both have records with them
 */
export async function fillTenant(
  tenant: Tenant,
  exchange: Exchange,
  chosen: Readonly<Record<ChosenName, string>> = newChosenIds(),
): Promise<TenantData> {
  const secrets: string[] = [];
  const word = () => {
    const made = newWord();
    const name = `${made[0]?.toUpperCase()}${made.slice(1)}`;
    secrets.push(name);
    return name;
  };
  const filling = { tenant, exchange, call: callerOf(tenant, exchange), chosen, word, made: new Map() };
  await registerUser(filling);
  await requestMoney(filling);
  await refuseCall(filling);
  await linkUser(filling);
  await payMoneyRequest(filling);
  await checkIdentity(filling);
  await endLinks(filling);
  await addEndpoint(filling);
  await startReplay(filling);
  await makeBrowserToken(filling);
  await openConsole(filling);
  await makeApiKey(filling);
  await lockPrices(filling);
  await until('all of it is done', () => isDone(tenant, exchange));
  filling.made.set('remittanceId', `${tenant.accountId}|${chosen.atomicId}`);
  const ids = [...Object.entries(chosen), ...filling.made, ...(await readIds(filling))];
  return { ids: new Map(ids as [IdName, string][]), secrets };
}

/** The parts of a body by which internal calls name an account. */
function namedIn({ accountId }: Tenant) {
  const { tenantId: partnerId, environment } = partsOf(accountId);
  return { partnerId, environment };
}

/** The personal data that a requester must send. */
export function personOf(word: () => string) {
  const place = { address1: word(), countryCode: 'MX', city: 'CDMX', state: 'CDMX' };
  return { firstName: word(), lastName: word(), ...place };
}

export const CARD = {
  type: 'DebitCard',
  number: '4111111111111111',
  expirationDate: '1249',
  country: 'MX',
  currency: 'MXN',
};
export const CASH = { type: 'CashPickup', country: 'MX', currency: 'MXN' };
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

async function registerUser({ call, chosen, word, made }: Filling): Promise<void> {
  const { phoneNumber, email, contactPhone, contactEmail, account, correlationId } = chosen;
  const user = { phoneNumber, email, dob: '1990-02-28', ...personOf(word) };
  const { userId } = JSON.parse(await call('POST', '/v1/user/register-v2', user));
  made.set('userId', userId);
  const contact = { phoneNumber: contactPhone, email: contactEmail, countryCode: 'US' };
  const named = { ...contact, firstName: word(), lastName: word() };
  await call('POST', `/v1/user/contacts/${userId}`, named);
  const methods = '/v1/user/payment-methods';
  const card = JSON.parse(await call('POST', `${methods}/card/${userId}`, { ...CARD, nameOnCard: word() }));
  made.set('cardId', card.id);
  const ubn = { number: account, country: 'MX', currency: 'MXN' };
  const accountId = JSON.parse(await call('POST', `${methods}/ubn/${userId}`, ubn)).id;
  made.set('accountId', accountId);
  await call('POST', `/v1/user/operations/request-money-v2/${userId}`, {
    requestTo: contactPhone,
    correlationId,
    recipientAmount: 40.2,
    recipientCurrency: 'MXN',
    reason: word(),
    destinationPaymentMethodId: accountId,
  });
}

/** Two atomic calls: one comes to an operation, one fails. */
async function requestMoney({ call, chosen, word, made }: Filling): Promise<void> {
  const { atomicId, atomicPhone, atomicEmail, failedId } = chosen;
  const full = (correlationId: string, requester: object) => {
    const payer = { phoneNumber: newPhone(), firstName: word(), lastName: word(), countryCode: 'US' };
    const fields = { recipientCurrency: 'MXN', recipientAmount: 30.1, correlationId, requestTo: payer };
    const request = { ...fields, reason: word(), destinationPaymentMethod: CASH };
    const body = { requester: { ...personOf(word), ...requester }, request };
    return call('POST', '/v1/user/operations/request-money-full', body);
  };
  const accepted = JSON.parse(await full(atomicId, { phoneNumber: atomicPhone, email: atomicEmail }));
  made.set('atomicUserId', accepted.userId);
  await full(failedId, { phoneNumber: newPhone(), lastName: 'CIPFAIL' });
}

/** An atomic call that is refused: only the request log has it. */
async function refuseCall({ tenant: { key }, exchange, made }: Filling): Promise<void> {
  const correlationId = randomUUID();
  const { status } = await exchange({
    method: 'POST',
    path: '/v1/user/operations/request-money-full',
    headers: { 'X-API-Key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ request: { correlationId } }),
  });
  if (status !== 400) {
    throw new Error(`A call without values answered ${status}`);
  }
  made.set('refusedId', correlationId);
}

async function linkUser({ call, chosen, word, made }: Filling): Promise<void> {
  const name = { firstName: word(), lastName: word() };
  const idImage = `data:image/png;base64,${Buffer.from([...PNG, ...Buffer.from(word())]).toString('base64')}`;
  const userData = { name, idType: 'passport', idNumber: word(), dob: '1991-03-29', idImage };
  const cash = { paymentMethod: { cash: { provider: word() } } };
  const link = { flow: 'transfer', referenceId: chosen.userReferenceId, metadata: { note: word() } };
  const { data } = JSON.parse(
    await call('POST', '/partner/links', { ...link, userData: { ...userData, ...cash } }),
  );
  made.set('linkId', data.linkId);
  made.set('linkUserId', data.userId);
  await call('POST', `/v1/internal/links/${data.linkId}/open`);
}

/** A money request of the linked user that is being paid: the link gets its operation. */
async function payMoneyRequest({ tenant, call, chosen, word, made }: Filling): Promise<void> {
  const { referenceId, userReferenceId, idempotencyKey, callId } = chosen;
  const body = moneyRequestOf({ referenceId, userReferenceId, word });
  await call('POST', '/v1/request-money', body, {
    'Idempotency-Key': idempotencyKey,
    'x-request-id': callId,
  });
  const update = { ...namedIn(tenant), referenceId, status: 'processing', statusDetails: word() };
  const updated = JSON.parse(await call('PATCH', '/v1/internal/remittances/status', update));
  made.set('operationId', updated.operationId);
  made.set('requestId', updated.requestId);
}

/** The body of a money request. */
export function moneyRequestOf(given: { referenceId: string; userReferenceId: string; word: () => string }) {
  const { referenceId, userReferenceId, word } = given;
  const requestData = {
    userReferenceId,
    name: { firstName: word(), lastName: word() },
    address: { country: 'MX', state: 'CDMX' },
    payoutMethod: 'bank_account',
    bankAccount: { accountNumber: word() },
  };
  return { referenceId, amount: 20, currency: 'MXN', requestData };
}

async function checkIdentity({ tenant, call, word, made }: Filling): Promise<void> {
  const linkId = String(made.get('linkId'));
  const ticket = JSON.parse(await call('POST', '/partner/cip/tickets', { linkId }));
  made.set('ticketId', ticket.data.ticketId);
  const verified = { status: 'verified', provider: word(), result: { checkedName: word() } };
  await call('PATCH', `/v1/internal/users/${made.get('linkUserId')}/cip`, verified);
  const question = { ...namedIn(tenant), linkId, fields: ['dob'] };
  const raised = JSON.parse(await call('POST', '/v1/internal/data-requests', question));
  made.set('dataRequestId', raised.dataRequestId);
}

/** A data request that is answered, a link that is revoked, a user that is blocked. */
async function endLinks({ tenant, call, word, made }: Filling): Promise<void> {
  const referenceId = word();
  const link = { flow: 'cip', referenceId };
  const { linkId, userId } = JSON.parse(await call('POST', '/partner/links', link)).data;
  const question = { ...namedIn(tenant), linkId, fields: ['idNumber'] };
  const { dataRequestId } = JSON.parse(await call('POST', '/v1/internal/data-requests', question));
  await call('PUT', `/partner/data-requests/${dataRequestId}`, {
    referenceId,
    userData: { idNumber: word() },
  });
  await call('POST', `/partner/links/${linkId}/revoke`);
  await call('POST', `/partner/users/${userId}/block`, { reason: word() });
  await call('POST', `/v1/internal/links/${made.get('linkId')}/open`);
}

interface Added {
  readonly createWebhookEndpoint: { readonly webhookEndpoint: { readonly id: string } | null };
}

/** A second endpoint at the tenant's own receiver, which no event goes to but a test: one is sent. */
async function addEndpoint({ tenant, exchange, made }: Filling): Promise<void> {
  const config = '{ webhookConfig { webhookUrl } }';
  const { data } = await queryGraph<{ webhookConfig: { webhookUrl: string } }>(
    exchange,
    config,
    {},
    tenant.key,
  );
  const add = `mutation ($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { webhookEndpoint { id } }
  }`;
  const input = { url: `${data?.webhookConfig.webhookUrl}?${newWord()}`, events: [] };
  const added = await queryGraph<Added>(exchange, add, { input }, tenant.key);
  const endpointId = String(added.data?.createWebhookEndpoint.webhookEndpoint?.id);
  await changeDelivery(exchange, SEND_TEST, { endpointId }, tenant.key);
  made.set('endpointId', endpointId);
}

/** A replay that finds nothing, and is over. The tenant may have one that runs: then it is that one. */
async function startReplay({ tenant, exchange, made }: Filling): Promise<void> {
  const start = 'mutation { replayWebhookDeliveries(input: { event: "none" }) { found } }';
  await queryGraph(exchange, start, {}, tenant.key);
  const list = '{ webhookReplays { id } }';
  const listed = await queryGraph<{ webhookReplays: { id: string }[] }>(exchange, list, {}, tenant.key);
  const id = String(listed.data?.webhookReplays[0]?.id);
  const stop = `mutation { stopWebhookReplay(input: { id: "${id}" }) { found } }`;
  await queryGraph(exchange, stop, {}, tenant.key);
  made.set('replayId', id);
}

async function makeBrowserToken({ tenant, exchange, made }: Filling): Promise<void> {
  const make = 'mutation { createBrowserToken(input: { expiresInMinutes: 60 }) { browserToken { id } } }';
  type Made = { readonly createBrowserToken: { readonly browserToken: { readonly id: string } | null } };
  const { data } = await queryGraph<Made>(exchange, make, {}, tenant.key);
  made.set('browserTokenId', String(data?.createBrowserToken.browserToken?.id));
}

async function openConsole({ tenant, exchange, made }: Filling): Promise<void> {
  const { code, id } = await makeLink(exchange, tenant.key);
  const opened = await exchangeCode(exchange, code, LOCAL_PAGE);
  if (opened.status !== 200) {
    throw new Error(`The link opened no session: ${opened.text}`);
  }
  made.set('consoleSessionId', id);
}

async function makeApiKey({ tenant, exchange, made }: Filling): Promise<void> {
  const make = 'mutation { createApiKey(input: { scopes: ["partner"] }) { apiKey { id } } }';
  type Made = { readonly createApiKey: { readonly apiKey: { readonly id: string } | null } };
  const { data } = await queryGraph<Made>(exchange, make, {}, tenant.key);
  made.set('apiKeyId', String(data?.createApiKey.apiKey?.id));
}

/** A quote for each call that can use one, of its amount. */
async function lockPrices({ call, made }: Filling): Promise<void> {
  for (const name of QUOTE_NAMES) {
    const amount = name.endsWith('MoneyRequest') ? 20 : 12.5;
    const body = { destinationCountry: 'MX', sourceCountry: 'US', amount, currency: 'MXN' };
    const quote = JSON.parse(await call('POST', '/v1/quotes', { ...body, expiresInSeconds: 3_600 }));
    made.set(name, quote.quoteId);
  }
}

interface Ended {
  readonly remittances: { readonly totalCount: number };
  readonly webhookDeliveries: { readonly totalCount: number };
}

/** Whether nothing is left that the product does by itself: no remittance and no webhook of the tenant is under way. */
export async function isDone(tenant: Tenant, exchange: Exchange): Promise<boolean> {
  const query = `{
    remittances(where: { status: IN_PROGRESS }) { totalCount }
    webhookDeliveries(where: { status: PENDING }) { totalCount }
  }`;
  const { data } = await queryGraph<Ended>(exchange, query, {}, tenant.key);
  return data?.remittances.totalCount === 0 && data.webhookDeliveries.totalCount === 0;
}

interface Listed {
  readonly user: { readonly contacts: { readonly nodes: readonly { id: string }[] } };
  readonly webhookDeliveries: { readonly nodes: readonly { id: string }[] };
}

/** Ids that only reads return. */
async function readIds({ tenant, exchange, made }: Filling): Promise<[MadeName, string][]> {
  const query = `query ($id: ID!) {
    user(id: $id) { contacts { nodes { id } } }
    webhookDeliveries(first: 1) { nodes { id } }
  }`;
  const { data } = await queryGraph<Listed>(exchange, query, { id: made.get('userId') }, tenant.key);
  return [
    ['contactId', String(data?.user.contacts.nodes[0]?.id)],
    ['deliveryId', String(data?.webhookDeliveries.nodes[0]?.id)],
  ];
}
