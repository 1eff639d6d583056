import {
  type JsonSchema,
  type ObjectSchema,
  oneOfNamed,
  type RefTo,
  requireObject,
  toJsonSchema,
} from '../../kernel/json/json-schema.ts';
import { isCard, PAYMENT_METHOD_TYPES, type PaymentMethodType } from '../payment-method.ts';
import { blockUserSchema } from './block-user.ts';
import { contactShape } from './contact.ts';
import { methodShape } from './payment-method.ts';
import { registrationShape } from './registration.ts';

/** JSON Schemas of the bodies that the slice reads, made from the schemas that check them. */
type UserJsonSchemas = Readonly<
  Record<'RegisterUser' | 'BlockUser' | 'CreateContact' | 'AddCard' | 'AddUbn', ObjectSchema>
>;

const CARD_TYPES = PAYMENT_METHOD_TYPES.filter(isCard);

/** The schema name of each type of payout method. */
const METHODS = {
  DebitCard: 'CardMethod',
  CreditCard: 'CardMethod',
  UBN: 'AccountMethod',
  CashPickup: 'CashMethod',
} as const satisfies Readonly<Record<PaymentMethodType, string>>;

export function userJsonSchemas(): UserJsonSchemas {
  const method = toJsonSchema(methodShape);
  const { type, number, currency, country, ...card } = method.properties;
  return {
    RegisterUser: toJsonSchema(registrationShape),
    BlockUser: toJsonSchema(blockUserSchema),
    CreateContact: toJsonSchema(contactShape),
    AddCard: allOf({ type: { ...type, enum: CARD_TYPES }, number, ...card, country, currency }),
    AddUbn: allOf({ number, currency, country }),
  };
}

/**
 * `destinationPaymentMethod` (document 1, RaaSPartnerPaymentMethod): one of three, so that generated clients see what each
 * type needs.
 */
export function payoutMethodJsonSchemas(refTo: RefTo): Readonly<Record<string, JsonSchema>> {
  const { type, number, country, currency, ...card } = toJsonSchema(methodShape).properties;
  const only = (...types: PaymentMethodType[]) => ({ ...type, enum: types });
  return {
    PayoutMethod: oneOfNamed(refTo, 'type', METHODS),
    CardMethod: allOf({ type: only('DebitCard', 'CreditCard'), number, ...card, country, currency }),
    AccountMethod: allOf({ type: only('UBN'), number, country, currency }),
    CashMethod: {
      type: 'object',
      properties: { type: only('CashPickup'), country, currency },
      required: ['type', 'country'],
    },
  };
}

/** An object that must have all of these properties, and may have others. */
function allOf(properties: Readonly<Record<string, JsonSchema | undefined>>): ObjectSchema {
  return { ...requireObject({ type: 'object', properties }), required: Object.keys(properties) };
}
