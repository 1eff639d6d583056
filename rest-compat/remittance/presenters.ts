import type {
  FrequentContactsQuery,
  OperationHistoryQuery,
  OperationRecordFragment,
  RequestMoneyFullMutation,
  RequestMoneyV2Mutation,
} from '../../schema/operations/types.ts';
import { type Members, optional, shape } from '../../subgraphs/kernel/json/shape.ts';
import { OPERATION_STATUSES } from '../../subgraphs/operations/index.ts';
import { PAYMENT_METHOD_TYPES } from '../../subgraphs/users/index.ts';
import { inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';
import { exactNumber } from '../shared/reply.ts';

/** An operation as the v2 call makes it. */
export type CreatedOperation = NonNullable<RequestMoneyV2Mutation['requestMoneyV2FromJson']['operation']>;
type Contact = FrequentContactsQuery['frequentContacts'][number];
type PaymentMethod = NonNullable<OperationRecordFragment['destinationPaymentMethod']>;
type Remittance = NonNullable<RequestMoneyFullMutation['requestMoneyFullFromJson']['remittance']>;
type Requester = NonNullable<OperationRecordFragment['user']>;

const flag = { type: 'boolean' };
const amount = { type: 'number', description: 'Exact to the digits stored.' };
const currency = { ...text, description: 'ISO 4217.' };
const country = { ...text, description: 'ISO 3166-1 alpha-2.' };
const status = { ...text, enum: OPERATION_STATUSES };
const code = { ...text, description: 'Short operation code for support.' };
const platId = { ...text, description: 'Platform operation id.' };
const rate = { ...amount, description: "Units of the recipient's currency for one of the sender's." };
/** It is always empty. */
const sourcePaymentMethod = object({});

/** Document 1, "RequestMoneyFullResponse". */
export const fullResponse = shape<Remittance>({
  userId: [text, ({ user }) => user.id],
  operationId: [
    { ...text, description: 'Equals `request.correlationId`.' },
    ({ correlationId }) => correlationId,
  ],
  status: [{ const: 'Accepted' }, () => 'Accepted'],
  link: [{ ...text, description: 'Attribution and tracking URL.' }, ({ attributionLink }) => attributionLink],
});

/** The token of a user is its id (decisions, section 2). */
export const userToken = shape<{ readonly id: string }>({
  userId: [text, ({ id }) => id],
  userToken: [{ ...text, description: 'Same value as `userId`.' }, ({ id }) => id],
});

/** A payment method as operation records carry it: the schema `PaymentMethod`. */
export const paymentMethodRecord = shape<PaymentMethod>({
  type: [{ ...text, enum: PAYMENT_METHOD_TYPES }, ({ type }) => paymentMethodType(type)],
  country: [country, (method) => method.country],
  id: [text, ({ id }) => id],
  number: [
    { ...text, description: 'The token of a card or the number of an account; cash has none.' },
    ({ number }) => number,
    'optional',
  ],
  currency: [currency, (method) => method.currency],
  isPrimary: [
    { ...flag, description: "Whether it is the user's primary method: the first one that was added." },
    ({ isPrimary }) => isPrimary,
  ],
});

/** The requester of an operation: the schema `FromUser`. */
export const fromUser = shape<Requester>({
  userId: [text, ({ id }) => id],
  firstName: [text, ({ firstName }) => firstName, 'optional'],
  lastName: [text, ({ lastName }) => lastName, 'optional'],
  phoneNumber: [text, ({ phoneNumber }) => phoneNumber, 'optional'],
  email: [text, ({ email }) => email, 'optional'],
  country: [country, (user) => user.country, 'optional'],
});

type Priced = Pick<CreatedOperation, 'amount' | 'sender' | 'recipient'>;

const PRICE: Members<Priced> = {
  amount: [
    { ...amount, description: 'senderAmount and tenantfee.' },
    (operation) => exactNumber(operation.amount?.amount),
  ],
  currency: [currency, (operation) => operation.amount?.currency],
  senderAmount: [amount, ({ sender }) => exactNumber(sender?.amount)],
  senderCurrency: [currency, ({ sender }) => sender?.currency],
};

/** Document 1 spells `recipientAmout` like this. */
const RECEIVED: Members<Priced> = {
  recipientAmout: [amount, ({ recipient }) => exactNumber(recipient.amount)],
  recipientCurrency: [currency, ({ recipient }) => recipient.currency],
};

const payer = shape<NonNullable<OperationRecordFragment['contact']>>({
  phoneNumber: [text, ({ phoneNumber }) => phoneNumber],
  country: [country, (contact) => contact.country, 'optional'],
});

/**
 * Document 1, "Operation record", in the table's order. An operation that fulfils a money request has neither payer nor payment
 * method; the price is also absent when no rate was known.
 */
const FOUND: Members<OperationRecordFragment> = {
  id: [{ ...text, description: 'Equals the correlation id.' }, ({ id }) => id],
  type: [{ ...text, description: '`request` for request-money operations.' }, ({ type }) => type],
  createdAt: [time, ({ createdAt }) => createdAt],
  updatedAt: [time, ({ updatedAt }) => updatedAt],
  code: [code, (operation) => operation.code],
  status: [status, (operation) => inPascalCase(operation.status)],
  statusDetails: [text, ({ statusDetails }) => statusDetails],
  cancelable: [flag, ({ cancelable }) => cancelable],
  userId: [text, ({ user }) => user?.id],
  isIgnored: [flag, ({ isIgnored }) => isIgnored],
  attributionLink: [text, ({ attributionLink }) => attributionLink, 'optional'],
  fromUser: [refTo('FromUser'), ({ user }) => (user ? fromUser(user) : undefined)],
  toUser: [payer.schema, ({ contact }) => contact && payer(contact), 'optional'],
  fromTo: [
    {
      type: 'array',
      items: text,
      description: "The user's id, and the payer's if the payer is also a user.",
    },
    ({ user, contact }) => [user?.id, contact?.registeredUser?.id].filter((id) => id !== undefined),
  ],
  ...optional(PRICE),
  ...RECEIVED,
  exchangeRate: [rate, ({ exchangeRate }) => exactNumber(exchangeRate), 'optional'],
  tenantfee: [amount, ({ tenantFee }) => exactNumber(tenantFee?.amount), 'optional'],
  reason: [text, ({ reason }) => reason, 'optional'],
  correlationId: [text, ({ correlationId }) => correlationId],
  destinationPaymentMethod: [
    refTo('PaymentMethod'),
    ({ destinationPaymentMethod: method }) => method && paymentMethodRecord(method),
    'optional',
  ],
  sourcePaymentMethod: [sourcePaymentMethod, () => ({})],
};

/** The record of detail. */
export const foundRecord = shape(FOUND);

/** The record of history. */
export const listedRecord = shape<OperationHistoryQuery['operationHistory'][number]>({
  ...FOUND,
  platId: [platId, (operation) => operation.platId],
});

const createdPayer = shape<NonNullable<CreatedOperation['contact']>>({
  phoneNumber: [text, ({ phoneNumber }) => phoneNumber],
  country: [country, (contact) => contact.country, 'optional'],
  firstName: [text, ({ firstName }) => firstName, 'optional'],
  lastName: [text, ({ lastName }) => lastName, 'optional'],
  email: [text, ({ email }) => email, 'optional'],
  userId: [text, ({ registeredUser }) => registeredUser?.id, 'optional'],
});

/** The record of the v2 response (OperationResponsePartner); order by document 1 and decisions, section 2. */
export const createdRecord = shape<CreatedOperation>({
  attributionLink: [text, ({ attributionLink }) => attributionLink, 'optional'],
  createdAt: [
    { ...text, pattern: '^/Date\\(\\d+\\)/$', description: '`/Date(<epoch_ms>)/`.' },
    ({ createdAt }) => `/Date(${Date.parse(createdAt)})/`,
  ],
  status: [status, (operation) => inPascalCase(operation.status)],
  statusDetails: [text, ({ statusDetails }) => statusDetails],
  code: [code, (operation) => operation.code],
  correlationId: [text, ({ correlationId }) => correlationId],
  fromUser: [refTo('FromUser'), ({ user }) => (user ? fromUser(user) : undefined)],
  toUser: [createdPayer.schema, ({ contact }) => (contact ? createdPayer(contact) : undefined)],
  sourcePaymentMethod: [sourcePaymentMethod, () => ({})],
  destinationPaymentMethod: [
    refTo('PaymentMethod'),
    ({ destinationPaymentMethod: method }) => (method ? paymentMethodRecord(method) : undefined),
  ],
  ...PRICE,
  ...RECEIVED,
  estimatedExchangeRate: [rate, ({ exchangeRate }) => exactNumber(exchangeRate)],
  platId: [platId, (operation) => operation.platId],
});

/** Document 1, "Frequent contact (ContactInfo)". */
export const contactInfo = shape<Contact>({
  phone: [text, ({ phoneNumber }) => phoneNumber],
  firstName: [text, ({ firstName }) => firstName, 'optional'],
  lastName: [text, ({ lastName }) => lastName, 'optional'],
  countryCode: [country, (contact) => contact.country, 'optional'],
});
