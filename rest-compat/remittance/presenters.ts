import type { Payload } from '../shared/outcome.ts';
import { found, missing, ofData, ofPayload } from '../shared/presenter.ts';
import {
  type ContactNode,
  type CreatedOperation,
  contactInfo,
  createdRecord,
  type FoundOperation,
  foundRecord,
  type PaymentMethodNode,
  paymentMethodRecord,
} from './records.ts';

interface Remittance {
  correlationId: string;
  attributionLink: string;
  user: { id: string };
}

/** RequestMoneyFullResponse. */
export const presentAccepted = ofPayload(
  'requestMoneyFullFromJson',
  ({ remittance }: Payload & { remittance: Remittance }) => ({
    userId: remittance.user.id,
    operationId: remittance.correlationId,
    status: 'Accepted',
    link: remittance.attributionLink,
  }),
);

/** OperationResponsePartner. */
export const presentCreated = ofPayload(
  'requestMoneyV2FromJson',
  ({ operation }: Payload & { operation: CreatedOperation }) => createdRecord(operation),
);

/** OperationDetail[]. */
export const presentHistory = ofData(
  ({ operationHistory }: { operationHistory: readonly FoundOperation[] }) =>
    found(operationHistory.map(foundRecord)),
);

/** OperationDetailResponse. */
export const presentDetail = ofData(({ operation }: { operation: FoundOperation | null }) =>
  operation ? found(foundRecord(operation)) : missing('ERROR_OPERATION_NOT_FOUND'),
);

/** ContactInfo[]. */
export const presentFrequent = ofData(({ frequentContacts }: { frequentContacts: readonly ContactNode[] }) =>
  found(frequentContacts.map(contactInfo)),
);

/** `getUserTokenV2`. */
export const presentToken = ofData(({ userToken }: { userToken: { id: string } | null }) =>
  userToken ? found(tokenOf(userToken)) : missing('ERROR_SUBSCRIBER_NOT_FOUND'),
);

/** `registerUserV2`. */
export const presentRegistered = ofPayload(
  'registerUserFromJson',
  ({ user }: Payload & { user: { id: string } }) => tokenOf(user),
);

/** `createContact`. */
export const presentContact = ofPayload(
  'createContactFromJson',
  ({ contact }: Payload & { contact: ContactNode }) => contactInfo(contact),
);

/** `addCard`. */
export const presentCard = ofPayload('addCardFromJson', presentMethod);

/** `addUBN`. */
export const presentUbn = ofPayload('addUbnFromJson', presentMethod);

function presentMethod({ paymentMethod }: Payload & { paymentMethod: PaymentMethodNode }) {
  return paymentMethodRecord(paymentMethod);
}

/** `userToken` is the userId (decisions, section 2). */
function tokenOf({ id }: { id: string }) {
  return { userId: id, userToken: id };
}
