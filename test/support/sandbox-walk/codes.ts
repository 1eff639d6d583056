import { moneyRequestBody, newReference } from '../money-requests.ts';
import { KEYS } from '../seed.ts';
import { type Partner, UBN } from './partner.ts';

/** Produces something by sandbox keys alone. @returns the code or status that came of it */
export type Walk = (partner: Partner) => Promise<string | undefined>;

const payer =
  (lastName: string): Walk =>
  (partner) =>
    partner.outcome({ requestTo: { lastName } });
const requester =
  (lastName: string): Walk =>
  (partner) =>
    partner.outcome({ requester: { lastName } });
const asked =
  (lastName: string): Walk =>
  async (partner) =>
    (await partner.ask({}, { name: { firstName: 'Ana', lastName } })).code;
const full =
  (...changes: Parameters<Partner['full']>): Walk =>
  async (partner) =>
    (await partner.full(...changes)).code;
const ask =
  (...changes: Parameters<Partner['ask']>): Walk =>
  async (partner) =>
    (await partner.ask(...changes)).code;
const call =
  (...of: Parameters<Partner['call']>): Walk =>
  async (partner) =>
    (await partner.call(...of)).code;
const method = (changes: object) => ({ request: { destinationPaymentMethod: { ...UBN, ...changes } } });
const card = (number: string) =>
  method({ type: 'DebitCard', number, nameOnCard: 'Ana Ruiz', expirationDate: '1249' });

/** Codes of document 1. */
const REMITTANCE: Readonly<Record<string, Walk>> = {
  ERROR_TENANT_NOT_FOUND: full({}, KEYS.umbrella),
  ERROR_CIP_NOT_FOUND: requester('CIPNOTFOUND'),
  ERROR_CIP_NOT_COMPLETED: requester('CIPFAIL'),
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: requester('CIPLEVELONE'),
  ERROR_SUBSCRIBER_NOT_FOUND: requester('SUBSCRIBERNOTFOUND'),
  ERROR_INTERNAL_SERVER_ERROR: requester('VALIDATORDOWN'),
  CARD_VERIFICATION_ERROR: (partner) => partner.outcome(card('4000000000000002')),
  ERROR_CARD_VERIFICATION: full(card('4000000000000003')),
  ERROR_PAYMENT_METHOD_NOT_FOUND: full({ request: { destinationPaymentMethod: undefined } }),
  ERROR_ERROR_ADD_SOURCE_UBN_ERROR: (partner) => partner.outcome(method({ number: '000000000000000002' })),
  ERROR_UBN_NUMBER_REQUIRED: full(method({ number: undefined })),
  ERROR_CONTACT_NOT_FOUND: payer('CONTACTNOTFOUND'),
  ERROR_INVALID_OPERATION: payer('OPERATIONINVALID'),
  ERROR_OPERATION_NOT_FOUND: payer('OPERATIONNOTFOUND'),
  ERROR_OPERATION_ALREADY_COMPLETED: payer('OPERATIONCOMPLETED'),
  ERROR_COUNTRY_NOT_SUPPORTED: full({ requester: { countryCode: 'US', state: 'US-FL' } }),
  ERROR_INVALID_COUNTRY_CODE: full({ requester: { countryCode: 'XX' } }),
  ERROR_PHONE_NUMBER_NOT_SUPPORTED: full({ requestTo: { phoneNumber: '+34612345678' } }),
  INVALID_PHONE_NUMBER: full({ requestTo: { phoneNumber: '+1' } }),
  INVALID_NAME: full({ requester: { firstName: 'Ana 2' } }),
  ERROR_INVALID_DATE_OF_BIRTH: full({ requester: { dob: new Date().toISOString().slice(0, 10) } }),
  ERROR_REQUEST_MONEY_FULL: call('POST', '/v1/user/operations/request-money-full', { body: {} }),
  ERROR_INVALID_PARTNER_TOKEN: full({}, null),
  ERROR_INVALID_AMOUNT_ERROR: full({ request: { recipientAmount: 0 } }),
  ERROR_INVALID_CURRENCY_CODE: full({ request: { recipientCurrency: 'ABC' } }),
  ERROR_CORRELATION_ID_REQUIRED: full({ request: { correlationId: undefined } }),
  ERROR_CORRELATION_ID_ALREADY_USED: async (partner) => {
    const { id } = await partner.full();
    return (await partner.full({ request: { correlationId: id } })).code;
  },
  ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED: full(method({ country: 'BR' })),
};

/** Codes of document 2. */
const REQUEST_MONEY: Readonly<Record<string, Walk>> = {
  CORRIDOR_UNRESOLVABLE: ask({}, { address: { country: 'XX' } }),
  ROUTE_NOT_AVAILABLE: ask({ currency: 'BRL' }, { address: { country: 'BR' } }),
  STATE_NOT_MAPPED: ask({}, { address: { country: 'MX', state: 'NOWHERE' } }),
  PAYOUT_METHOD_UNSUPPORTED: ask(
    { currency: 'GTQ' },
    { address: { country: 'GT' }, payoutMethod: 'cash', cash: { provider: 'X' } },
  ),
  LEGACY_REFERENCE_EXISTS: async (partner) => {
    const { id } = await partner.ask();
    return (await partner.ask({ referenceId: id })).code;
  },
  IDEMPOTENCY_KEY_REUSED: async (partner) => {
    const headers = { 'Idempotency-Key': newReference() };
    const create = () =>
      partner.call('POST', '/v1/request-money', { body: moneyRequestBody(newReference()), headers });
    await create();
    return (await create()).code;
  },
  OFAC_HIT: asked('OFACHIT'),
  IDENTITY_VALIDATOR_UNAVAILABLE: asked('VALIDATORDOWN'),
  IDENTITY_VALIDATOR_TIMEOUT: asked('VALIDATORSLOW'),
  IDENTITY_VALIDATOR_BAD_RESPONSE: asked('VALIDATORBROKEN'),
  API_FEATURE_NOT_ENABLED: ask({}, {}, KEYS.initech),
  INSUFFICIENT_SCOPE: ask({}, {}, KEYS.acmeWithoutPartner),
  not_found: call('GET', '/v1/request-money/nothing0'),
  INVALID_TRANSITION: async (partner) => {
    const { id } = await partner.ask();
    const path = `/v1/sandbox/request-money/${id}/status`;
    await partner.call('POST', path, { body: { status: 'completed' } });
    return (await partner.call('POST', path, { body: { status: 'processing' } })).code;
  },
  USER_BLOCKED: async (partner) => {
    const { userId } = await partner.link({ referenceId: 'walk-blocked' });
    const { id } = await partner.ask({}, { userReferenceId: 'walk-blocked' });
    await partner.call('POST', `/partner/users/${userId}/block`);
    const path = `/v1/sandbox/request-money/${id}/status`;
    return (await partner.call('POST', path, { body: { status: 'completed' } })).code;
  },
  PAYLOAD_TOO_LARGE: call('POST', '/v1/request-money', { body: `"${'a'.repeat(1024 * 1024)}"` }),
  UNSUPPORTED_MEDIA_TYPE: call('POST', '/v1/request-money', {
    body: '{}',
    headers: { 'content-encoding': 'gzip' },
  }),
};

/** Codes of document 3. */
const PARTNER: Readonly<Record<string, Walk>> = {
  FORBIDDEN: call('GET', '/partner/me', { key: KEYS.acmeWithoutPartner }),
  MISSING_API_KEY: call('GET', '/partner/me', { key: null }),
  INVALID_API_KEY: call('GET', '/partner/me', { key: 'raas_sandbox_never_made' }),
  INVALID_REQUEST: call('POST', '/partner/links', { body: { referenceId: 'walk' } }),
  FLOW_NOT_ALLOWED: call('POST', '/partner/links', {
    body: { flow: 'transfer', referenceId: 'walk' },
    key: KEYS.initech,
  }),
  INSUFFICIENT_USER_DATA: async (partner) => {
    const { linkId } = await partner.link();
    return (await partner.call('POST', '/partner/cip/tickets', { body: { linkId } })).code;
  },
  LINK_NOT_FOUND: call('GET', '/partner/links/none'),
  LINK_ALREADY_REVOKED: async (partner) => {
    const { linkId } = await partner.link();
    await partner.call('POST', `/partner/links/${linkId}/revoke`);
    return (await partner.call('POST', `/partner/links/${linkId}/revoke`)).code;
  },
  LINK_REVOKED: async (partner) => {
    const { linkId } = await partner.link();
    await partner.call('POST', `/partner/links/${linkId}/revoke`);
    return (await partner.call('POST', `/v1/sandbox/links/${linkId}/open`)).code;
  },
  USER_NOT_FOUND: call('POST', '/partner/users/none/block'),
  USER_ERASED: async (partner) => {
    const { linkId, userId } = await partner.link();
    await partner.call('POST', `/partner/links/${linkId}/revoke`);
    const query =
      'mutation ($id: ID!) { eraseUser(input: { id: $id, reason: "Asked" }) { userErrors { code } } }';
    await partner.call('POST', '/graphql', { body: { query, variables: { id: userId } } });
    return (await partner.call('POST', `/partner/users/${userId}/unblock`)).code;
  },
  OPERATION_NOT_FOUND: call('GET', '/partner/operations/none'),
  DATA_REQUEST_NOT_FOUND: (partner) => answer(partner, 'none', 'walk'),
  REFERENCE_MISMATCH: async (partner) => answer(partner, await raised(partner, 'walk-1'), 'walk-2'),
  DATA_REQUEST_ALREADY_FULFILLED: async (partner) => {
    const id = await raised(partner, 'walk-1');
    await answer(partner, id, 'walk-1');
    return answer(partner, id, 'walk-1');
  },
  RATE_LIMITED: async (partner) => {
    const body = { sourceCountry: 'US', destinationCountry: 'MX', destinationCurrency: 'MXN' };
    const quote = { body: { ...body, payoutMethod: 'cash', amount: 100 } };
    let code: string | undefined;
    for (let nth = 0; nth <= 60 && code !== 'RATE_LIMITED'; nth += 1) {
      ({ code } = await partner.call('POST', '/partner/pre-quote-lite', quote));
    }
    return code;
  },
};

/** How each code of the documents is produced. */
export const CODES: Readonly<Record<string, Walk>> = { ...REMITTANCE, ...REQUEST_MONEY, ...PARTNER };

/** Simulates a data request about the user with this reference. @returns its id */
export async function raised(partner: Partner, referenceId: string): Promise<string> {
  const { linkId } = await partner.link({ referenceId });
  const made = await partner.call('POST', '/v1/sandbox/data-requests', { body: { linkId, fields: ['dob'] } });
  return String(made.body.dataRequestId);
}

/** Answers a data request. @returns its status, or the code of the failure */
export async function answer(partner: Partner, id: string, referenceId: string): Promise<string | undefined> {
  const body = { referenceId, userData: { dob: '1990-02-28' } };
  const { code, body: answered } = await partner.call('PUT', `/partner/data-requests/${id}`, { body });
  return code ?? String((answered.data as { status: string }).status);
}
