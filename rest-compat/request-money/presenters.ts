import type {
  CreatedMoneyRequestFragment,
  CreateRequestMoneyMutation,
  FoundMoneyRequestFragment,
} from '../../schema/operations/types.ts';
import { type Members, shape } from '../../subgraphs/kernel/json/shape.ts';
import { PAYOUT_METHODS } from '../../subgraphs/kernel/money/payout-methods.ts';
import { MONEY_REQUEST_STATUSES } from '../../subgraphs/request-money/index.ts';
import { DETAILS_AND_LINKS } from '../../subgraphs/webhook-events/money-request-data.ts';
import { refTo, text, time } from '../shared/openapi/document.ts';

type Payload = Pick<CreateRequestMoneyMutation['createRequestMoneyFromJson'], 'warnings'>;

/** The route of a money request: the schema `Corridor`. */
export const corridorOf = shape<CreatedMoneyRequestFragment['resolved']>({
  sourceCountry: [text, ({ sourceCountry }) => sourceCountry],
  destinationCountry: [text, ({ destinationCountry }) => destinationCountry],
  sourceCurrency: [text, ({ sourceCurrency }) => sourceCurrency],
  destinationCurrency: [text, ({ destinationCurrency }) => destinationCurrency],
  payoutType: [{ ...text, enum: PAYOUT_METHODS }, ({ payoutType }) => payoutType.toLowerCase()],
  payerCode: [{ type: ['string', 'null'] }, ({ payerCode }) => payerCode, 'nullable'],
  stateCode: [
    { ...text, description: 'Omitted if the route needs none.' },
    ({ stateCode }) => stateCode,
    'optional',
  ],
});

/** Document 2, "Create response fields": the fields that create and lookup share. */
const COMMON: Members<CreatedMoneyRequestFragment> = {
  referenceId: [text, ({ referenceId }) => referenceId],
  id: [{ ...text, description: 'Same value as `referenceId`.' }, ({ referenceId }) => referenceId],
  status: [{ ...text, enum: MONEY_REQUEST_STATUSES }, ({ status }) => status.toLowerCase()],
  ...DETAILS_AND_LINKS,
  fundRequestLink: [{ ...text, description: 'Payer widget URL.' }, ({ fundRequestLink }) => fundRequestLink],
  resolved: [refTo('Corridor'), ({ resolved }) => corridorOf(resolved)],
};

const warning = shape<Payload['warnings'][number]>({
  code: [text, ({ code }) => code],
  message: [text, ({ message }) => message],
});

/** Document 2, "Create response fields", with the warnings of the call. */
export const createdMoneyRequest = shape<CreatedMoneyRequestFragment & Payload>({
  ...COMMON,
  warnings: [
    { type: 'array', minItems: 1, items: warning.schema },
    ({ warnings }) => (warnings.length > 0 ? warnings.map(warning) : null),
    'optional',
  ],
});

/** Document 2, "Lookup fields"; order by decisions, section 3. */
export const foundMoneyRequest = shape<FoundMoneyRequestFragment>({
  ...COMMON,
  requestId: [text, ({ requestId }) => requestId],
  operationId: [
    { ...text, description: 'Present after an operation exists.' },
    ({ operation }) => operation?.id,
    'optional',
  ],
  createdAt: [time, ({ createdAt }) => createdAt],
  updatedAt: [time, ({ updatedAt }) => updatedAt],
  expiresAt: [time, ({ expiresAt }) => expiresAt],
});
