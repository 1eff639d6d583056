import { setTimeout as delay } from 'node:timers/promises';
import type { RawRequest, RawResponse } from '../../support/http.ts';
import { moneyRequestBody, newReference } from '../../support/money-requests.ts';
import { KEYS } from '../../support/seed.ts';

/** Partners that together have currencies of 0, 2 and 3 decimals, with and without fees. */
const PARTNERS = [
  { tenantId: 'acme', key: KEYS.acme, currency: 'MXN', country: 'MX', state: 'MX-CMX', phone: '+5255' },
  { tenantId: 'hooli', key: KEYS.hooli, currency: 'JPY', country: 'JP', state: 'JP-13', phone: '+8190' },
  {
    tenantId: 'vandelay',
    key: KEYS.vandelay,
    currency: 'BHD',
    country: 'BH',
    state: 'BH-13',
    phone: '+9733',
  },
] as const;
type PartnerOf = (typeof PARTNERS)[number];

const DIGITS = { acme: 8, hooli: 8, vandelay: 7 } as const;
const ACCOUNTS = {
  acme: '032180000118359719',
  hooli: '0001234567',
  vandelay: 'BH67BMAG00001299123456',
} as const;

/** The statuses of operations behind `Sent`. */
const PATHS = [
  ['Accepted', 'Funded', 'Completed'],
  ['Accepted'],
  ['Accepted', 'Funding', 'Funded', 'InTransit', 'Completed'],
  ['Funding', 'Funded', 'Failed'],
  [],
  ['Accepted', 'Funded', 'ReadyForPickup', 'Completed'],
  ['Accepted', 'Rejected'],
  ['Accepted', 'OnHold', 'Accepted', 'Funded', 'OnHold', 'Failed'],
  ['Funding', 'Cancelled'],
] as const;
/** The statuses of money requests behind `pending`, and those of their operations. */
const REQUESTED = [
  { path: ['processing', 'completed'], operation: ['Funding', 'Funded', 'Completed'] },
  { path: ['processing', 'rejected'], operation: ['Funding', 'Rejected'] },
] as const;
/** One payment in so many is a money request. */
const REQUEST_EVERY = 4;

/** How long a call is repeated, milliseconds. A call whose process was killed keeps its lease for 25 s. */
const PATIENCE_MS = 120_000;
const PAUSE_MS = 200;

/** A payment that has come to its end, by the answers. */
export interface Payment {
  readonly accountId: string;
  /** Of its operation; undefined for a money request, whose operation the product names. */
  readonly operationId?: string;
  readonly referenceId?: string;
  /** The statuses of its operation, in order. */
  readonly statuses: readonly string[];
}

/** The kinds of calls that a kill interrupts. */
export type CallKind = 'create' | 'atomic call' | 'status';

/** The servers as partners and the platform's own back end call them. */
export interface Calls {
  /** Sends a call once. @throws when it has no answer */
  send(kind: CallKind, request: RawRequest): Promise<RawResponse>;
  /** The key of internal calls. */
  readonly internalKey: string;
}

/** Makes the nth payment, and repeats each call until it is done. @throws when an answer is no success for two minutes */
export function makePayment(calls: Calls, nth: number): Promise<Payment> {
  return nth % REQUEST_EVERY === 0 ? requestMoney(calls, nth) : callAtomic(calls, nth);
}

async function requestMoney(calls: Calls, nth: number): Promise<Payment> {
  const referenceId = newReference();
  const body = moneyRequestBody(referenceId, { amount: 100 + (nth % 900) + 0.25 });
  const own = { 'X-API-Key': KEYS.acme, 'Idempotency-Key': referenceId };
  await done(calls, 'create', { method: 'POST', path: '/v1/request-money', ...json(own, body) });
  const { path, operation } = REQUESTED[(nth / REQUEST_EVERY) % REQUESTED.length] ?? REQUESTED[0];
  for (const status of path) {
    const update = json({ 'X-Internal-Key': calls.internalKey }, { partnerId: 'acme', referenceId, status });
    await done(calls, 'status', { method: 'PATCH', path: '/v1/internal/remittances/status', ...update });
  }
  return { accountId: 'acme/sandbox', referenceId, statuses: operation };
}

async function callAtomic(calls: Calls, nth: number): Promise<Payment> {
  const partner = PARTNERS[nth % PARTNERS.length] ?? PARTNERS[0];
  const { tenantId: partnerId, key } = partner;
  const operationId = `soak-${nth}`;
  const body = atomicBody(partner, operationId, nth);
  const path = '/v1/user/operations/request-money-full';
  // One that is sent again after a lost answer is refused: its id is used (document 1, "Limits").
  const isTaken = (answer: RawResponse) =>
    succeeded(answer) || answer.text.includes('ERROR_CORRELATION_ID_ALREADY_USED');
  await done(calls, 'atomic call', { method: 'POST', path, ...json({ api_key: key }, body) }, isTaken);
  await hasOperation(calls, partner, operationId);
  const statuses = PATHS[Math.floor(nth / PARTNERS.length) % PATHS.length] ?? PATHS[0];
  for (const status of statuses) {
    const update = json({ 'X-Internal-Key': calls.internalKey }, { partnerId, status });
    const at = `/v1/internal/operations/${operationId}/status`;
    await done(calls, 'status', { method: 'PATCH', path: at, ...update });
  }
  return { accountId: `${partnerId}/sandbox`, operationId, statuses: ['Sent', ...statuses] };
}

/** Waits until the pipeline has made the operation of a call. */
async function hasOperation(calls: Calls, { key }: PartnerOf, operationId: string): Promise<void> {
  const query = 'query Made($operationId: ID!) { operation(id: $operationId) { status } }';
  const request = json({ 'X-API-Key': key }, { query, variables: { operationId } });
  const isMade = ({ status, text }: RawResponse) => status === 200 && text.includes('"SENT"');
  await done(calls, 'atomic call', { method: 'POST', path: '/graphql', ...request }, isMade);
}

function atomicBody(partner: PartnerOf, correlationId: string, nth: number): object {
  const { tenantId, currency, country, state, phone } = partner;
  const number = String(10 ** (DIGITS[tenantId] - 1) + nth);
  return {
    requester: {
      phoneNumber: `${phone}${number}`,
      ...{ firstName: 'Ana', lastName: 'Ruiz', dob: '1990-01-31', address1: '1' },
      ...{ countryCode: country, city: 'City', state },
    },
    request: {
      ...{
        recipientCurrency: currency,
        recipientAmount: currency === 'JPY' ? 1_000 + nth : 10 + nth / 4,
        correlationId,
      },
      destinationPaymentMethod: { type: 'UBN', number: ACCOUNTS[tenantId], country, currency },
      requestTo: { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
  };
}

function json(headers: Readonly<Record<string, string>>, body: object) {
  return { headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

const succeeded = ({ status }: RawResponse) => status === 200 || status === 201;

/** Sends a call again until it has succeeded: its answer may be lost, its process killed, or its lease still be held. */
async function done(
  calls: Calls,
  kind: CallKind,
  request: RawRequest,
  isDone: (answer: RawResponse) => boolean = succeeded,
): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = await calls.send(kind, request).catch((error: unknown) => error);
    const isAnswer = (value: unknown): value is RawResponse =>
      typeof value === 'object' && value !== null && 'status' in value;
    if (isAnswer(answer) && isDone(answer)) {
      return;
    }
    if (performance.now() > deadline) {
      const last = isAnswer(answer) ? `${answer.status} ${answer.text}` : String(answer);
      throw new Error(`${request.method} ${request.path}: ${last}`);
    }
    await delay(PAUSE_MS);
  }
}
