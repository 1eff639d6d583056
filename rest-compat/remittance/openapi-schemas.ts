import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { OPERATION_STATUSES, operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { requestMoneyFullJsonSchema } from '../../subgraphs/remittances/index.ts';
import {
  PAYMENT_METHOD_TYPES,
  payoutMethodJsonSchemas,
  userJsonSchemas,
} from '../../subgraphs/users/index.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';
import { ERROR_CODES } from './errors.ts';

const flag = { type: 'boolean' };
const amount = { type: 'number', description: 'Exact to the digits stored.' };
const currency = { ...text, description: 'ISO 4217.' };
const country = { ...text, description: 'ISO 3166-1 alpha-2.' };

const PAYMENT_METHOD = object(
  {
    type: { ...text, enum: PAYMENT_METHOD_TYPES },
    country,
    id: text,
    number: { ...text, description: 'The token of a card or the number of an account; cash has none.' },
    currency,
    isPrimary: {
      ...flag,
      description: "Whether it is the user's primary method: the first one that was added.",
    },
  },
  ['number'],
);

const FROM_USER = object(
  { userId: text, firstName: text, lastName: text, phoneNumber: text, email: text, country },
  ['firstName', 'lastName', 'phoneNumber', 'email', 'country'],
);

/** Document 1 spells `recipientAmout` like this. */
const MONEY = {
  amount: { ...amount, description: 'senderAmount and tenantfee.' },
  currency,
  senderAmount: amount,
  senderCurrency: currency,
  recipientAmout: amount,
  recipientCurrency: currency,
};
/** Keys that are absent when an operation fulfils a money request. The price is also absent when no rate was known. */
const ONLY_OF_REQUESTS = [
  'attributionLink',
  'toUser',
  'amount',
  'currency',
  'senderAmount',
  'senderCurrency',
  'exchangeRate',
  'tenantfee',
  'destinationPaymentMethod',
];

const sourcePaymentMethod = object({});
const status = { ...text, enum: OPERATION_STATUSES };
const code = { ...text, description: 'Short operation code for support.' };
const platId = { ...text, description: 'Platform operation id.' };
const rate = { ...amount, description: "Units of the recipient's currency for one of the sender's." };

/** Document 1, "Operation record", in the table's order. */
const FOUND = {
  id: { ...text, description: 'Equals the correlation id.' },
  type: { ...text, description: '`request` for request-money operations.' },
  createdAt: time,
  updatedAt: time,
  code,
  status,
  statusDetails: text,
  cancelable: flag,
  userId: text,
  isIgnored: flag,
  attributionLink: text,
  fromUser: refTo('FromUser'),
  toUser: object({ phoneNumber: text, country }, ['country']),
  fromTo: {
    type: 'array',
    items: text,
    description: "The user's id, and the payer's if the payer is also a user.",
  },
  ...MONEY,
  exchangeRate: rate,
  tenantfee: amount,
  reason: text,
  correlationId: text,
  destinationPaymentMethod: refTo('PaymentMethod'),
  sourcePaymentMethod,
};

const CREATED = object(
  {
    attributionLink: text,
    createdAt: { ...text, pattern: '^/Date\\(\\d+\\)/$', description: '`/Date(<epoch_ms>)/`.' },
    status,
    statusDetails: text,
    code,
    correlationId: text,
    fromUser: refTo('FromUser'),
    toUser: object(
      { phoneNumber: text, country, firstName: text, lastName: text, email: text, userId: text },
      ['country', 'firstName', 'lastName', 'email', 'userId'],
    ),
    sourcePaymentMethod,
    destinationPaymentMethod: refTo('PaymentMethod'),
    ...MONEY,
    estimatedExchangeRate: rate,
    platId,
  },
  ['attributionLink'],
);

/** Document 1, "Events", in the order of decisions, section 2. */
const OUTCOME = object(
  {
    eventType: { const: 'request_money_full_outcome' },
    status: { ...text, enum: ['Accepted', 'Failed'] },
    errorCode: { ...text, enum: ERROR_CODES, description: 'Only with `Failed`.' },
    reason: text,
    phase: { ...text, enum: ['CIP', 'CONTACT', 'PAYMENT_METHOD', 'REQUEST_MONEY'] },
    correlationId: text,
    operationId: { ...text, description: 'Same value as `correlationId`.' },
    userId: text,
    timestamp: time,
  },
  ['errorCode'],
);

const ANSWERS = {
  RequestMoneyFullOutcome: OUTCOME,
  RequestMoneyFullResponse: object({
    userId: text,
    operationId: { ...text, description: 'Equals `request.correlationId`.' },
    status: { const: 'Accepted' },
    link: { ...text, description: 'Attribution and tracking URL.' },
  }),
  OperationResponsePartner: CREATED,
  OperationDetail: object({ ...FOUND, platId }, [...ONLY_OF_REQUESTS, 'reason']),
  OperationDetailResponse: object(FOUND, [...ONLY_OF_REQUESTS, 'reason']),
  Operations: { type: 'array', items: refTo('OperationDetail') },
  ContactInfo: object({ phone: text, firstName: text, lastName: text, countryCode: country }, [
    'firstName',
    'lastName',
    'countryCode',
  ]),
  Contacts: { type: 'array', items: refTo('ContactInfo') },
  UserToken: object({ userId: text, userToken: { ...text, description: 'Same value as `userId`.' } }),
  PaymentMethod: PAYMENT_METHOD,
  FromUser: FROM_USER,
};

/** Document 1, "Errors". */
const ERRORS = {
  Coded: object({ reason: text, code: { ...text, enum: ERROR_CODES } }),
  Refused: object({ reason: text }),
};

/** The named schemas of document 1's description; those of bodies are made from the zod schemas that check the bodies. */
export function remittanceSchemas(): Record<string, JsonSchema> {
  const { RegisterUser, CreateContact, AddCard, AddUbn } = userJsonSchemas();
  const { RequestMoneyV2 } = operationJsonSchemas(refTo);
  return {
    RequestMoneyFull: requestMoneyFullJsonSchema(refTo),
    ...payoutMethodJsonSchemas(refTo),
    RequestMoneyV2,
    RegisterUser,
    CreateContact,
    AddCard,
    AddUbn,
    ...ANSWERS,
    ...ERRORS,
  };
}
