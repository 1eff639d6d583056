import { randomInt } from 'node:crypto';
import type { Exchange, RawResponse } from './http.ts';
import { INTERNAL_KEY, KEYS } from './seed.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** A referenceId that nobody has used. */
export function newReference(): string {
  return Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}

/** The body of the worked example of decisions, section 6, for another reference. */
export function moneyRequestBody(referenceId: string, changes: Record<string, unknown> = {}) {
  return {
    referenceId,
    amount: 1500.5,
    currency: 'MXN',
    requestData: {
      userReferenceId: 'u-77',
      name: { firstName: 'Ana', lastName: 'Ruiz' },
      address: { country: 'MX', state: 'CDMX' },
      payoutMethod: 'bank_account',
      bankAccount: { accountNumber: '0321 8000 0118 3597 19' },
    },
    ...changes,
  };
}

interface CreateOptions {
  readonly key?: string;
  readonly idempotencyKey?: string;
}

export function createMoneyRequest(
  exchange: Exchange,
  body: unknown,
  { key = KEYS.acme, idempotencyKey }: CreateOptions = {},
): Promise<RawResponse> {
  return exchange({
    method: 'POST',
    path: '/v1/request-money',
    headers: {
      'Content-Type': 'application/json',
      'X-API-Key': key,
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

export function lookUp(
  exchange: Exchange,
  referenceId: string,
  key: string = KEYS.acme,
): Promise<RawResponse> {
  return exchange({
    method: 'GET',
    path: `/v1/request-money/${referenceId}`,
    headers: { 'X-API-Key': key },
  });
}

/** The partner's cancel, with a reason if one is given. */
export function cancelMoneyRequest(
  exchange: Exchange,
  referenceId: string,
  { key = KEYS.acme, reason }: { readonly key?: string; readonly reason?: string } = {},
): Promise<RawResponse> {
  return exchange({
    method: 'POST',
    path: `/v1/request-money/${referenceId}/cancel`,
    headers: { 'X-API-Key': key },
    ...(reason !== undefined && { body: JSON.stringify({ reason }) }),
  });
}

/** The platform's own status update; for acme unless the update names another partner. */
export function updateStatus(
  exchange: Exchange,
  update: { referenceId: string; status: string } & Record<string, unknown>,
): Promise<RawResponse> {
  return exchange({
    method: 'PATCH',
    path: '/v1/internal/remittances/status',
    headers: { 'Content-Type': 'application/json', 'X-Internal-Key': INTERNAL_KEY },
    body: JSON.stringify({ partnerId: 'acme', ...update }),
  });
}

/** An answer of `/graphql`, without its `extensions`: outside production they contain costs. */
interface GraphQLAnswer<T> {
  readonly status: number;
  readonly data?: T | null;
  readonly errors?: readonly { message: string; path?: unknown[]; extensions?: { code?: string } }[];
}

export async function queryGraph<T>(
  exchange: Exchange,
  query: string,
  variables: Record<string, unknown> = {},
  key: string = KEYS.acme,
): Promise<GraphQLAnswer<T>> {
  const response = await exchange({
    method: 'POST',
    path: '/graphql',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': key },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = JSON.parse(response.text) as Omit<GraphQLAnswer<T>, 'status'>;
  return { status: response.status, ...(data !== undefined && { data }), ...(errors && { errors }) };
}
