import type { JsonSchema } from '../../subgraphs/kernel/json/json-schema.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { requestMoneyFullJsonSchema } from '../../subgraphs/remittances/index.ts';
import { payoutMethodJsonSchemas, userJsonSchemas } from '../../subgraphs/users/index.ts';
import { REMITTANCE_ERROR_CODES } from '../../subgraphs/webhook-events/values.ts';
import { object, refTo, text } from '../shared/openapi/document.ts';
import { webhookSchemas } from '../shared/openapi/webhooks.ts';
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

const ANSWERS = {
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
  Coded: object({ reason: text, code: { ...text, enum: REMITTANCE_ERROR_CODES } }),
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
    ...webhookSchemas(1),
    ...ANSWERS,
    ...ERRORS,
  };
}
