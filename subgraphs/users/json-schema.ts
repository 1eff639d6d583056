import { type ObjectSchema, toJsonSchema } from '../platform/json/json-schema.ts';
import { blockSchema } from './block.ts';
import { contactShape } from './contact.ts';
import { methodShape } from './payment-method.ts';
import { PAYMENT_METHOD_TYPES } from './port.ts';
import { registrationShape } from './registration.ts';

/** JSON Schemas of the bodies that the slice reads, made of the schemas that check them. */
export type UserJsonSchemas = Readonly<
  Record<'RegisterUser' | 'BlockUser' | 'CreateContact' | 'AddCard' | 'AddUbn' | 'PayoutMethod', ObjectSchema>
>;

const CARD_TYPES = PAYMENT_METHOD_TYPES.filter((type) => type.endsWith('Card'));

/** What each type of payout method needs besides `type` and `country` (document 1, RaaSPartnerPaymentMethod). */
const NEEDED = [
  [CARD_TYPES, ['number', 'nameOnCard', 'expirationDate', 'currency']],
  [['UBN'], ['number', 'currency']],
] as const;

export function userJsonSchemas(): UserJsonSchemas {
  const method = toJsonSchema(methodShape);
  const { type, number, currency, country, ...card } = method.properties;
  return {
    RegisterUser: toJsonSchema(registrationShape),
    BlockUser: toJsonSchema(blockSchema),
    CreateContact: toJsonSchema(contactShape),
    AddCard: allOf({ type: { ...type, enum: CARD_TYPES }, number, ...card, country, currency }),
    AddUbn: allOf({ number, currency, country }),
    PayoutMethod: {
      type: 'object',
      properties: { ...method.properties, type: { ...type, enum: PAYMENT_METHOD_TYPES } },
      required: ['type', 'country'],
      allOf: NEEDED.map(([types, required]) => ({
        if: { properties: { type: { enum: types } } },
        // biome-ignore lint/suspicious/noThenProperty: it is JSON Schema's keyword
        then: { required },
      })),
    },
  };
}

/** An object that must have all of these properties, and may have others. */
function allOf(properties: Readonly<Record<string, object | undefined>>): ObjectSchema {
  return {
    type: 'object',
    properties: properties as Readonly<Record<string, object>>,
    required: Object.keys(properties),
  };
}
