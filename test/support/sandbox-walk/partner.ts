import type { Exchange } from '../http.ts';
import { moneyRequestBody, newReference } from '../money-requests.ts';
import type { Receiver } from '../receiver.ts';
import { KEYS } from '../seed.ts';
import { until } from '../until.ts';

/** An answer, with its error code wherever the surface puts it. */
interface Answered {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly code: string | undefined;
}

interface CallOptions {
  readonly body?: unknown;
  /** Default: the partner's own; null: none. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Changes of an atomic call. */
interface AtomicChanges {
  readonly requester?: object;
  readonly request?: object;
  readonly requestTo?: object;
}

export const UBN = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };
const PERSON = { firstName: 'Ana', lastName: 'Ruiz', address1: 'Reforma 1', city: 'CDMX', state: 'CMX' };

/** A partner that has sandbox keys alone, and receives every webhook. */
export interface Partner {
  call(method: string, path: string, options?: CallOptions): Promise<Answered>;
  /** Makes an atomic call. @returns its answer, and its correlation id */
  full(changes?: AtomicChanges, key?: string | null): Promise<Answered & { readonly id: string }>;
  /** Makes an atomic call that is accepted, and waits for its outcome: `Accepted`, or the code of a failure. */
  outcome(changes?: AtomicChanges): Promise<string>;
  /** Creates a money request. @returns its answer, and its reference */
  ask(changes?: object, data?: object, key?: string): Promise<Answered & { readonly id: string }>;
  /** Creates a link. @returns its id and its user's */
  link(changes?: object): Promise<{ readonly linkId: string; readonly userId: string }>;
  /** Waits for a webhook with this event that has this text in it. */
  received(event: string, text: string): Promise<void>;
}

let phones = 10_000_000 + (Date.now() % 80_000_000);

/** @param exchange with the server @param receiver the partner's */
export function createPartner(exchange: Exchange, receiver: Receiver): Partner {
  const call: Partner['call'] = async (method, path, { body, key = KEYS.soylent, headers = {} } = {}) => {
    const { status, text } = await exchange({
      method,
      path,
      headers: {
        ...(key !== null && { 'X-API-Key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const parsed = JSON.parse(text) as Record<string, unknown>;
    return { status, body: parsed, code: codeOf(parsed) };
  };
  const full: Partner['full'] = async ({ requester, request, requestTo } = {}, key) => {
    const id = newReference();
    phones += 1;
    const body = {
      requester: { ...PERSON, phoneNumber: `+5255${phones}`, countryCode: 'MX', ...requester },
      request: {
        ...{ recipientCurrency: 'MXN', recipientAmount: 20.1, correlationId: id },
        ...{ destinationPaymentMethod: UBN },
        requestTo: {
          ...{ phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' },
          ...requestTo,
        },
        ...request,
      },
    };
    const path = '/v1/user/operations/request-money-full';
    return { ...(await call('POST', path, { body, ...(key !== undefined && { key }) })), id };
  };
  const outcomeOf = (id: string) =>
    receiver.webhooks
      .filter(({ path }) => path === '/soylent-outcome')
      .map(({ text }) => JSON.parse(text) as Record<string, string>)
      .find(({ correlationId }) => correlationId === id);
  return {
    call,
    full,
    outcome: async (changes) => {
      const { id, status, body } = await full(changes);
      if (status !== 200) {
        throw new Error(`The call was not accepted: ${JSON.stringify(body)}`);
      }
      await until(`the outcome of ${JSON.stringify(changes)}`, () => outcomeOf(id) !== undefined);
      const outcome = outcomeOf(id);
      return String(outcome?.errorCode ?? outcome?.status);
    },
    ask: async (changes = {}, data = {}, key = KEYS.soylent) => {
      const id = newReference();
      const { requestData, ...rest } = moneyRequestBody(id);
      const body = { ...rest, requestData: { ...requestData, userReferenceId: id, ...data }, ...changes };
      return { ...(await call('POST', '/v1/request-money', { body, key })), id };
    },
    link: async (changes = {}) => {
      const body = { flow: 'cip', referenceId: newReference(), ...changes };
      const made = await call('POST', '/partner/links', { body });
      return made.body.data as { linkId: string; userId: string };
    },
    received: (event, text) =>
      until(`${event} with ${text}`, () =>
        receiver.webhooks.some(
          (webhook) => webhook.text.includes(`"${event}"`) && webhook.text.includes(text),
        ),
      ),
  };
}

function codeOf({ code, error }: Readonly<Record<string, unknown>>): string | undefined {
  const named = typeof error === 'object' && error !== null && 'code' in error ? error.code : (code ?? error);
  return typeof named === 'string' ? named : undefined;
}
