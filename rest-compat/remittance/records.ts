import { LosslessNumber } from 'lossless-json';
import { inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { omitAbsent } from '../shared/reply.ts';

interface MoneyNode {
  amount: string;
  currency: string;
}

interface UserNode {
  id: string;
  firstName: string | null;
  lastName: string | null;
  phoneNumber: string | null;
  email: string | null;
  country: string | null;
}

/** A contact as `createContact.graphql` and `frequentContacts.graphql` select it. */
export interface ContactNode {
  phoneNumber: string | null;
  firstName: string | null;
  lastName: string | null;
  country: string | null;
}

/** A payment method as all documents select it. */
export interface PaymentMethodNode {
  type: string;
  country: string | null;
  id: string;
  number: string | null;
  currency: string | null;
  isPrimary: boolean;
}

/** What the documents select of every operation. */
interface OperationNode {
  createdAt: string;
  code: string;
  status: string;
  statusDetails: string;
  attributionLink: string | null;
  user: UserNode | null;
  amount: MoneyNode | null;
  sender: MoneyNode | null;
  recipient: MoneyNode;
  exchangeRate: string | null;
  correlationId: string | null;
  destinationPaymentMethod: PaymentMethodNode | null;
  platId?: string;
}

/** An operation as `requestMoneyV2.graphql` selects it. */
export interface CreatedOperation extends OperationNode {
  contact: (ContactNode & { email: string | null; registeredUser: { id: string } | null }) | null;
}

/** An operation as `operationHistory.graphql` and, without `platId`, `operationDetail.graphql` select it. */
export interface FoundOperation extends OperationNode {
  id: string;
  type: string;
  updatedAt: string;
  cancelable: boolean;
  isIgnored: boolean;
  tenantFee: { amount: string } | null;
  reason: string | null;
  contact: (Pick<ContactNode, 'phoneNumber' | 'country'> & { registeredUser: { id: string } | null }) | null;
}

/** The record of history and detail; order by the table of document 1, "Operation record". */
export function foundRecord(operation: FoundOperation) {
  const { user, contact } = operation;
  return omitAbsent({
    id: operation.id,
    type: operation.type,
    createdAt: operation.createdAt,
    updatedAt: operation.updatedAt,
    code: operation.code,
    status: inPascalCase(operation.status),
    statusDetails: operation.statusDetails,
    cancelable: operation.cancelable,
    userId: user?.id,
    isIgnored: operation.isIgnored,
    attributionLink: operation.attributionLink,
    fromUser: user && fromUser(user),
    toUser: contact && omitAbsent({ phoneNumber: contact.phoneNumber, country: contact.country }),
    fromTo: [user?.id, contact?.registeredUser?.id].filter((id) => id !== undefined),
    ...moneyOf(operation),
    exchangeRate: exact(operation.exchangeRate),
    tenantfee: exact(operation.tenantFee?.amount),
    reason: operation.reason,
    correlationId: operation.correlationId,
    destinationPaymentMethod:
      operation.destinationPaymentMethod && paymentMethodRecord(operation.destinationPaymentMethod),
    sourcePaymentMethod: {},
    platId: operation.platId,
  });
}

/** The record of the v2 response (OperationResponsePartner); order by document 1 and decisions, section 2. */
export function createdRecord(operation: CreatedOperation) {
  const { user, contact } = operation;
  return omitAbsent({
    attributionLink: operation.attributionLink,
    createdAt: `/Date(${Date.parse(operation.createdAt)})/`,
    status: inPascalCase(operation.status),
    statusDetails: operation.statusDetails,
    code: operation.code,
    correlationId: operation.correlationId,
    fromUser: user && fromUser(user),
    toUser:
      contact &&
      omitAbsent({
        phoneNumber: contact.phoneNumber,
        country: contact.country,
        firstName: contact.firstName,
        lastName: contact.lastName,
        email: contact.email,
        userId: contact.registeredUser?.id,
      }),
    sourcePaymentMethod: {},
    destinationPaymentMethod:
      operation.destinationPaymentMethod && paymentMethodRecord(operation.destinationPaymentMethod),
    ...moneyOf(operation),
    estimatedExchangeRate: exact(operation.exchangeRate),
    platId: operation.platId,
  });
}

/** Document 1, "Frequent contact (ContactInfo)". */
export function contactInfo({ phoneNumber, firstName, lastName, country }: ContactNode) {
  return omitAbsent({ phone: phoneNumber, firstName, lastName, countryCode: country });
}

/** A payment method as operation records carry it. */
export function paymentMethodRecord({ type, country, id, number, currency, isPrimary }: PaymentMethodNode) {
  return omitAbsent({ type: paymentMethodType(type), country, id, number, currency, isPrimary });
}

function fromUser({ id, firstName, lastName, phoneNumber, email, country }: UserNode) {
  return omitAbsent({ userId: id, firstName, lastName, phoneNumber, email, country });
}

/** `recipientAmout` is what document 1 calls it. */
function moneyOf({ amount, sender, recipient }: Pick<OperationNode, 'amount' | 'sender' | 'recipient'>) {
  return {
    amount: exact(amount?.amount),
    currency: amount?.currency,
    senderAmount: exact(sender?.amount),
    senderCurrency: sender?.currency,
    recipientAmout: exact(recipient.amount),
    recipientCurrency: recipient.currency,
  };
}

/** A decimal of the graph as a JSON number of the same digits. */
function exact(decimal: string | null | undefined): LosslessNumber | undefined {
  return decimal === null || decimal === undefined ? undefined : new LosslessNumber(decimal);
}
