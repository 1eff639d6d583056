import type {
  FrequentContactsQuery,
  OperationDetailQuery,
  OperationHistoryQuery,
  RequestMoneyFullMutation,
  RequestMoneyV2Mutation,
} from '../../schema/operations/types.ts';
import { inPascalCase, paymentMethodType } from '../shared/enum-names.ts';
import { exactNumber, omitAbsent } from '../shared/reply.ts';

/** An operation as history has it; detail leaves `platId` out. */
export type FoundOperation = NonNullable<OperationDetailQuery['operation']> &
  Partial<Pick<OperationHistoryQuery['operationHistory'][number], 'platId'>>;
/** An operation as the v2 call makes it. */
export type CreatedOperation = NonNullable<RequestMoneyV2Mutation['requestMoneyV2FromJson']['operation']>;
type Contact = FrequentContactsQuery['frequentContacts'][number];
type PaymentMethod = NonNullable<FoundOperation['destinationPaymentMethod']>;
type Remittance = NonNullable<RequestMoneyFullMutation['requestMoneyFullFromJson']['remittance']>;

/** Document 1, "RequestMoneyFullResponse". */
export function fullResponse({ user, correlationId, attributionLink }: Remittance) {
  return { userId: user.id, operationId: correlationId, status: 'Accepted', link: attributionLink };
}

/** The token of a user is its id (decisions, section 2). */
export function userToken({ id }: { readonly id: string }) {
  return { userId: id, userToken: id };
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
    exchangeRate: exactNumber(operation.exchangeRate),
    tenantfee: exactNumber(operation.tenantFee?.amount),
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
    estimatedExchangeRate: exactNumber(operation.exchangeRate),
    platId: operation.platId,
  });
}

/** Document 1, "Frequent contact (ContactInfo)". */
export function contactInfo({ phoneNumber, firstName, lastName, country }: Contact) {
  return omitAbsent({ phone: phoneNumber, firstName, lastName, countryCode: country });
}

/** A payment method as operation records carry it. */
export function paymentMethodRecord({ type, country, id, number, currency, isPrimary }: PaymentMethod) {
  return omitAbsent({ type: paymentMethodType(type), country, id, number, currency, isPrimary });
}

function fromUser({
  id,
  firstName,
  lastName,
  phoneNumber,
  email,
  country,
}: NonNullable<FoundOperation['user']>) {
  return omitAbsent({ userId: id, firstName, lastName, phoneNumber, email, country });
}

/** Document 1 spells `recipientAmout` like this. */
function moneyOf({ amount, sender, recipient }: Pick<CreatedOperation, 'amount' | 'sender' | 'recipient'>) {
  return {
    amount: exactNumber(amount?.amount),
    currency: amount?.currency,
    senderAmount: exactNumber(sender?.amount),
    senderCurrency: sender?.currency,
    recipientAmout: exactNumber(recipient.amount),
    recipientCurrency: recipient.currency,
  };
}
