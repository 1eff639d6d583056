import {
  type JsonSchema,
  oneOfNamed,
  type RefTo,
  requireObject,
  toJsonSchema,
} from '../../kernel/json/json-schema.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../kernel/money/payout-methods.ts';
import { cancelSchema } from './cancel-request-money.ts';
import { bodySchema, payoutSchemas } from './create-request-money.ts';
import { simulatedUpdateSchema, updateSchema } from './update-status.ts';

/** The names of `requestData` for each payout method, and of the method's own object. */
const REQUEST_DATA = {
  bank_account: 'BankAccountRequestData',
  card: 'CardRequestData',
  cash: 'CashRequestData',
} as const satisfies Readonly<Record<PayoutMethod, string>>;
const PAYOUTS = {
  bank_account: 'BankAccountPayout',
  card: 'CardPayout',
  cash: 'CashPayout',
} as const satisfies Readonly<Record<PayoutMethod, string>>;

/**
 * The bodies of document 2 as named JSON Schemas, made from the schemas that check them. `requestData` is one of three, so
 * that generated clients see the object of each payout method.
 */
export function bodyJsonSchemas(refTo: RefTo): Readonly<Record<string, JsonSchema>> {
  const { properties, ...body } = toJsonSchema(bodySchema);
  return {
    CreateRequestMoney: {
      ...body,
      description:
        '`recipientReferenceId` must not be sent, wherever it stands; other properties are ignored.',
      properties: {
        ...properties,
        requestData: oneOfNamed(refTo, 'payoutMethod', REQUEST_DATA),
        // Not `false`, which says the same: some generators of clients read only objects.
        recipientReferenceId: { not: {} },
      },
    },
    ...Object.assign(
      {},
      ...PAYOUT_METHODS.map((method) => requestDataOf(method, { ...properties.requestData }, refTo)),
    ),
    CancelRequestMoney: toJsonSchema(cancelSchema),
    UpdateStatus: toJsonSchema(updateSchema),
    SimulateRequestMoneyStatus: toJsonSchema(simulatedUpdateSchema),
  };
}

/** `requestData` for one payout method, and the object that the method needs. */
function requestDataOf(method: PayoutMethod, common: JsonSchema, refTo: RefTo): Record<string, JsonSchema> {
  const { properties } = requireObject(common);
  const required = Array.isArray(common.required) ? common.required : [];
  const [[property, payout] = []] = Object.entries(toJsonSchema(payoutSchemas[method]).properties);
  if (property === undefined || payout === undefined) {
    throw new TypeError(`The payout method ${method} has no object`);
  }
  const payoutMethod = { type: 'string', enum: [method] };
  return {
    [PAYOUTS[method]]: payout,
    [REQUEST_DATA[method]]: {
      ...common,
      properties: { ...properties, payoutMethod, [property]: refTo(PAYOUTS[method]) },
      required: [...required, property],
    },
  };
}
