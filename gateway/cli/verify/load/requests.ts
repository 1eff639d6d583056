import { randomInt, randomUUID } from 'node:crypto';
import { moneyRequestInput } from '../../demo/operations.ts';
import { newReferenceId } from '../../demo/partner.ts';
import type { PartnerCall } from './client.ts';

/** Users of the partner: few enough that calls of one user meet. */
const USERS = 40;

/** The create of a money request that nobody has sent yet. */
export interface NewMoneyRequest {
  readonly referenceId: string;
  readonly call: PartnerCall;
  /** The same id with another amount: under the same `Idempotency-Key`, or without one. */
  other(key: 'same key' | 'no key'): PartnerCall;
}

export function newMoneyRequest(): NewMoneyRequest {
  const referenceId = newReferenceId();
  const idempotencyKey = randomUUID();
  const input = moneyRequestInput(referenceId);
  const requestData = { ...input.requestData, userReferenceId: `verify-${randomInt(USERS)}` };
  const body = { ...input, requestData };
  const create = { method: 'POST', path: '/v1/request-money' } as const;
  return {
    referenceId,
    call: { ...create, body, idempotencyKey },
    other: (key) => ({
      ...create,
      body: { ...body, amount: body.amount + 1 },
      ...(key === 'same key' && { idempotencyKey }),
    }),
  };
}

/** An atomic call that nobody has sent yet. */
interface NewAtomicCall {
  readonly correlationId: string;
  readonly call: PartnerCall;
}

/** @param number of the call within the run: its user, account and id are its own */
export function newAtomicCall(number: number): NewAtomicCall {
  const correlationId = `verify-${randomUUID()}`;
  const account = `0321800001${String(number).padStart(8, '0')}`;
  return {
    correlationId,
    call: {
      method: 'POST',
      path: ATOMIC_PATH,
      body: atomicCallBody({ correlationId, requester: number, account }),
    },
  };
}

/** Where atomic calls go. */
export const ATOMIC_PATH = '/v1/user/operations/request-money-full';

/** The parts in which bodies of atomic calls differ. */
interface AtomicCallParts {
  readonly correlationId: string;
  /** The requester by number: each has a phone number. */
  readonly requester: number;
  /** Number of the requester's bank account. */
  readonly account: string;
}

/** Body of an atomic call: Ana requests 1500.5 pesos from Bob. */
export function atomicCallBody({ correlationId, requester, account }: AtomicCallParts) {
  return {
    requester: {
      phoneNumber: `+5255${12_000_000 + requester}`,
      firstName: 'Ana',
      lastName: 'Ruiz',
      dob: '1990-01-31',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'MX-CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 1500.5,
      destinationPaymentMethod: { type: 'UBN', number: account, country: 'MX', currency: 'MXN' },
      correlationId,
      requestTo: { phoneNumber: '+12125550123', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
    },
  };
}

const PAGE = '(first: 20) { edges { cursor } pageInfo { endCursor hasNextPage } }';

/** The reads of a partner's dashboard, by their names. */
export function dashboardReads(
  referenceId: string,
  userReferenceId = 'verify-1',
): Readonly<Record<string, string>> {
  return {
    moneyRequests: `{ requestMonies${PAGE} }`,
    moneyRequestsOfStatus: `{ requestMonies(first: 20, where: { status: [PENDING] }) { edges { cursor } } }`,
    moneyRequestsOfUser: `{ requestMonies(first: 20, where: { userReferenceId: "${userReferenceId}" }) { edges { cursor } } }`,
    remittances: `{ remittances${PAGE} }`,
    remittancesOfStatus: `{ remittances(first: 20, where: { status: [SUCCEEDED] }) { edges { cursor } } }`,
    operations: `{ operations${PAGE} }`,
    users: `{ users${PAGE} }`,
    webhooks: `{ webhookDeliveries${PAGE} }`,
    cursor: '{ latestEventCursor }',
    search: `{ search(text: "${referenceId}") { __typename } }`,
  };
}
