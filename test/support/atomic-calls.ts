import { type AccountId, accountOf, tenantOf } from '../../subgraphs/kernel/account.ts';
import type { Deployment } from './deployment.ts';
import type { Exchange, RawResponse } from './http.ts';
import { addToSeed } from './seed.ts';

/** A tenant that makes atomic calls, and its key. */
interface Caller {
  readonly accountId: AccountId;
  readonly key: string;
}

/** The parameters of atomic calls; the rest of each is its own too, so that no two make the same request to a provider. */
export interface AtomicCall {
  readonly caller: Caller;
  readonly correlationId: string;
  readonly method: 'account' | 'card';
  /** Last names of requester and payer, by which providers may distinguish calls. */
  readonly requester: string;
  readonly payer: string;
}

/** As many as it takes to occupy a worker: a tenant gets a quarter of its concurrency. */
export const CALLERS: readonly Caller[] = ['north', 'east', 'south', 'west'].map((tenantId) => ({
  accountId: accountOf(tenantId, 'sandbox'),
  key: `raas_sandbox_${tenantId}_full`,
}));

/** The caller of the nth of many calls: in turn, because a tenant gets a part of the concurrency. */
export function callerOf(nth: number): Caller {
  return CALLERS[nth % CALLERS.length] as Caller;
}

/** Adds {@link CALLERS} to the seed of a deployment that has not started yet; their outcomes go to its receiver. */
export function seedCallers({
  env,
  receiver,
}: Pick<Deployment, 'env'> & { readonly receiver: Pick<Deployment['receiver'], 'url'> }): void {
  const tenants = CALLERS.map(({ accountId, key }) => ({
    tenantId: tenantOf(accountId),
    name: tenantOf(accountId),
    country: 'MX',
    defaultCurrency: 'MXN',
    countries: ['MX'],
    dialCodes: ['+52', '+1'],
    flows: ['request_money'],
    attributionBaseUrl: `https://${tenantOf(accountId)}.test/t`,
    operationStatusHook: `${receiver.url}/outcome`,
    sharedSecret: `shared_${tenantOf(accountId)}_0001`,
    apiKeys: [{ key, scopes: ['partner', 'partner_full'], label: 'all' }],
  }));
  addToSeed(String(env.SEED_FILE), tenants);
}

let calls = 0;

/** A call that nobody has made yet. */
export function newAtomicCall(of: Omit<AtomicCall, 'correlationId'>): AtomicCall {
  calls += 1;
  return { ...of, correlationId: `call-${calls}` };
}

/** Makes the call; the same call again has the same body. */
export function callAtomic(
  exchange: Exchange,
  call: AtomicCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> {
  return exchange({
    method: 'POST',
    path: '/v1/user/operations/request-money-full',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': call.caller.key, ...headers },
    body: JSON.stringify(atomicBodyOf(call)),
  });
}

/** The body of a call, before it is JSON. */
export function atomicBodyOf({ correlationId, method, requester, payer }: AtomicCall): object {
  const number = Number(correlationId.split('-')[1]);
  return {
    requester: {
      phoneNumber: `+5255${12_000_000 + number}`,
      firstName: inLetters(number),
      lastName: requester,
      dob: '1990-01-31',
      address1: 'Reforma 1',
      countryCode: 'MX',
      city: 'CDMX',
      state: 'MX-CMX',
    },
    request: {
      recipientCurrency: 'MXN',
      recipientAmount: 1500.5,
      destinationPaymentMethod: {
        ...(method === 'card' ? cardOf(number) : { type: 'UBN', number: `0321800001${padded(number)}` }),
        country: 'MX',
        currency: 'MXN',
      },
      correlationId,
      requestTo: { phoneNumber: '+12125550123', firstName: 'Bob', lastName: payer, countryCode: 'US' },
    },
  };
}

function cardOf(number: number): object {
  const digits = `4111111${padded(number)}`;
  const sum = [...digits].reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  // 16 digits, the last one by Luhn.
  return {
    type: 'DebitCard',
    number: `${digits}${(10 - (sum % 10)) % 10}`,
    nameOnCard: 'Ana Ruiz',
    expirationDate: '1249',
  };
}

function padded(number: number): string {
  return String(number).padStart(8, '0');
}

/** Names have no digits: a for 0, b for 1 and so on. */
function inLetters(number: number): string {
  return `Ana${[...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}
