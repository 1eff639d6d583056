import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { requestMoneyFullJsonSchema } from '../../subgraphs/remittances/index.ts';
import { payoutMethodJsonSchemas, userJsonSchemas } from '../../subgraphs/users/index.ts';
import { object, refTo, text, time } from '../shared/openapi/document.ts';
import { ERROR_CODES } from './errors.ts';
import {
  contactInfo,
  createdRecord,
  foundRecord,
  fromUser,
  fullResponse,
  listedRecord,
  paymentMethodRecord,
  userToken,
} from './presenters.ts';

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
  RequestMoneyFullResponse: fullResponse.schema,
  OperationResponsePartner: createdRecord.schema,
  OperationDetail: listedRecord.schema,
  OperationDetailResponse: foundRecord.schema,
  Operations: { type: 'array', items: refTo('OperationDetail') },
  ContactInfo: contactInfo.schema,
  Contacts: { type: 'array', items: refTo('ContactInfo') },
  UserToken: userToken.schema,
  PaymentMethod: paymentMethodRecord.schema,
  FromUser: fromUser.schema,
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
