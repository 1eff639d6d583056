import { CATALOGUE, type ErrorCode } from '../../subgraphs/kernel/errors/catalogue.ts';
import type { CallExamples, Named } from '../shared/openapi/examples.ts';
import { type ErrorShape, presentError, presentInternalError } from './errors.ts';

/** The bodies of these errors, by code. */
function errors(shape: ErrorShape, ...codes: ErrorCode[]): Named {
  return Object.fromEntries(codes.map((code) => [code, presentError(code, shape).body]));
}

/** Answers that are the same for every call of the surface. */
export const COMMON_EXAMPLES: Readonly<Record<number, Named>> = {
  400: errors('plain', 'ERROR_INVALID_CURRENCY_CODE', 'ERROR_DESTINATION_COUNTRY_NOT_SUPPORTED'),
  401: errors('plain', 'UNAUTHENTICATED'),
  403: { tenantMismatch: { reason: 'User tenant does not match request tenant' } },
  404: { unknownUser: { reason: 'There is no such user.' } },
  413: errors('plain', 'PAYLOAD_TOO_LARGE'),
  415: errors('plain', 'UNSUPPORTED_MEDIA_TYPE'),
  429: errors('plain', 'RATE_LIMITED'),
  500: { fault: presentInternalError().body },
  503: { unavailable: presentError('SERVICE_UNAVAILABLE').body },
};

const CODED: Readonly<Record<number, Named>> = {
  400: errors('coded', 'INVALID_NAME', 'ERROR_INVALID_DATE_OF_BIRTH', 'INVALID_PHONE_NUMBER'),
  401: errors('coded', 'ERROR_INVALID_PARTNER_TOKEN'),
};

const USER = 'usr_9xYw2LmNp7RsAcEd3kTq';
const REQUESTER = {
  phoneNumber: '+525512345678',
  firstName: 'Ana',
  lastName: 'Ruiz',
  dob: '1990-02-28',
  email: 'ana@acme.test',
  address1: 'Reforma 1',
  countryCode: 'MX',
  city: 'Ciudad de México',
  state: 'CMX',
};
const PAYER = { phoneNumber: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const ACCOUNT = { type: 'UBN', number: '032180000118359719', country: 'MX', currency: 'MXN' };
const CARD = {
  type: 'DebitCard',
  number: '4111111111111111',
  nameOnCard: 'Ana Ruiz',
  expirationDate: '1230',
  country: 'MX',
  currency: 'MXN',
};

const full = (correlationId: string, destinationPaymentMethod: object) => ({
  requester: REQUESTER,
  request: {
    recipientCurrency: 'MXN',
    recipientAmount: 20.1,
    reason: 'Rent',
    destinationPaymentMethod,
    correlationId,
    requestTo: PAYER,
  },
});

const FROM = {
  userId: USER,
  firstName: 'Ana',
  lastName: 'Ruiz',
  phoneNumber: '+525512345678',
  country: 'MX',
};
const KEPT = { type: 'UBN', country: 'MX', id: 'pm_2LmNp7RsAcEd3kTqVb9x', number: ACCOUNT.number };
const METHOD = { ...KEPT, currency: 'MXN', isPrimary: true };
const MONEY = {
  amount: 1.1,
  currency: 'USD',
  senderAmount: 1.1,
  senderCurrency: 'USD',
  recipientAmout: 20.1,
  recipientCurrency: 'MXN',
};
/** An operation as the call for its detail answers it. */
export const DETAIL = {
  id: 'corr-1',
  type: 'request',
  createdAt: '2026-11-21T08:00:00.000Z',
  updatedAt: '2026-11-21T08:00:00.000Z',
  code: 'K7RWX3MQ',
  status: 'Sent',
  statusDetails: 'RequestSent',
  cancelable: true,
  userId: USER,
  isIgnored: false,
  attributionLink: 'https://acme.test/t/corr-1',
  fromUser: FROM,
  toUser: { phoneNumber: '+13055550100', country: 'US' },
  fromTo: [USER],
  ...MONEY,
  exchangeRate: 18.25,
  tenantfee: 0,
  reason: 'Rent',
  correlationId: 'corr-1',
  destinationPaymentMethod: METHOD,
  sourcePaymentMethod: {},
};
const platId = 'plat_3kTqVb9xYw2LmNp7RsAc';
const CREATED = {
  attributionLink: 'https://acme.test/t/corr-1',
  createdAt: '/Date(1795248000000)/',
  status: 'Sent',
  statusDetails: 'RequestSent',
  code: 'K7RWX3MQ',
  correlationId: 'corr-1',
  fromUser: FROM,
  toUser: { phoneNumber: '+13055550100', country: 'US' },
  sourcePaymentMethod: {},
  destinationPaymentMethod: METHOD,
  ...MONEY,
  estimatedExchangeRate: 18.25,
  platId,
};
const CONTACT = { phone: '+13055550100', firstName: 'Bob', lastName: 'Roe', countryCode: 'US' };
const TOKEN: Named = { token: { userId: USER, userToken: USER } };
const FULL_ERRORS = errors(
  'coded',
  'ERROR_REQUEST_MONEY_FULL',
  'ERROR_INVALID_AMOUNT_ERROR',
  'ERROR_CORRELATION_ID_ALREADY_USED',
);
const V2 = {
  requestTo: '+13055550100',
  correlationId: 'corr-1',
  recipientAmount: 20.1,
  recipientCurrency: 'MXN',
};

/** The examples of each call, by operationId. */
export const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  requestMoneyFull: {
    body: {
      account: full('corr-1', ACCOUNT),
      card: full('corr-2', CARD),
      cash: full('corr-3', { type: 'CashPickup', country: 'MX' }),
    },
    answers: {
      200: {
        accepted: {
          userId: USER,
          operationId: 'corr-1',
          status: 'Accepted',
          link: 'https://acme.test/t/corr-1',
        },
      },
      ...CODED,
      400: FULL_ERRORS,
    },
  },
  requestV2: {
    body: {
      byId: { ...V2, destinationPaymentMethodId: METHOD.id },
      inFull: { ...V2, destinationPaymentMethod: ACCOUNT },
    },
    answers: { 200: { created: CREATED } },
  },
  getOperations: { answers: { 200: { one: [{ ...DETAIL, platId }] } } },
  getOperation: {
    answers: {
      200: { sent: DETAIL },
      404: { unknown: { reason: CATALOGUE.ERROR_OPERATION_NOT_FOUND.message } },
    },
  },
  getFrequentContacts: {
    answers: { 200: { one: [CONTACT] }, 400: { limit: { reason: 'limit takes an integer of 1 to 100.' } } },
  },
  getUserTokenV2: {
    answers: { 200: TOKEN, 400: { both: { reason: 'Give phoneNumber or email, not both.' } } },
  },
  registerUserV2: { body: { user: REQUESTER }, answers: { 200: TOKEN, ...CODED } },
  createContact: {
    body: { contact: { ...PAYER, email: 'bob@acme.test' } },
    answers: {
      200: { contact: CONTACT },
      400: errors('plain', 'INVALID_PHONE_NUMBER', 'ERROR_PHONE_NUMBER_NOT_SUPPORTED'),
    },
  },
  addCard: {
    body: { card: CARD },
    answers: {
      200: { card: { ...METHOD, type: 'DebitCard', number: 'tok_5TnVq8ZkXw3LmPb7' } },
      400: errors('plain', 'ERROR_CARD_VERIFICATION', 'CARD_VERIFICATION_ERROR'),
    },
  },
  addUBN: {
    body: { account: { number: ACCOUNT.number, currency: 'MXN', country: 'MX' } },
    answers: { 200: { account: METHOD }, 400: errors('plain', 'ERROR_UBN_NUMBER_REQUIRED') },
  },
};
