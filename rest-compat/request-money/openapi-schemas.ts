import { PAYOUT_METHODS } from '../../subgraphs/kernel/money/payout-methods.ts';
import { bodyJsonSchemas, MONEY_REQUEST_STATUSES } from '../../subgraphs/request-money/index.ts';
import { type OpenApiPart, object, refTo, text, time } from '../shared/openapi/document.ts';
import { webhookSchemas } from './openapi-webhooks.ts';

/** Document 2, "Create response fields": the fields that create and lookup share. */
const COMMON = {
  referenceId: text,
  id: { ...text, description: 'Same value as `referenceId`.' },
  status: { ...text, enum: MONEY_REQUEST_STATUSES },
  statusDetails: { ...text, description: 'Text detail of the status.' },
  waLink: { ...text, description: 'Messaging link; empty when messaging is not configured.' },
  landingLink: { ...text, description: 'Landing base URL plus `?ref=<referenceId>`.' },
  fundRequestLink: { ...text, description: 'Payer widget URL.' },
  resolved: refTo('Corridor'),
};

const CORRIDOR = object(
  {
    sourceCountry: text,
    destinationCountry: text,
    sourceCurrency: text,
    destinationCurrency: text,
    payoutType: { ...text, enum: PAYOUT_METHODS },
    payerCode: { type: ['string', 'null'] },
    stateCode: { ...text, description: 'Omitted if the route needs none.' },
  },
  ['stateCode'],
);

/** Decisions, section 3, "Error bodies". */
const CODED = object({ error: object({ code: text, message: text }) });
const ERRORS = {
  Unauthenticated: object({ message: text }),
  Refused: CODED,
  Screened: object({ code: { const: 'OFAC_HIT' }, message: text }),
  NotFound: object({ error: { const: 'not_found' }, message: text }),
  Unprocessable: object(
    {
      message: text,
      details: { type: 'array', items: object({ path: text, message: text }) },
      error: object({ code: text }),
    },
    ['error'],
  ),
};

/** The named schemas of document 2's description. @param others those of the other calls in it */
export function requestMoneySchemas(others: OpenApiPart['schemas']): Record<string, object> {
  return {
    ...bodyJsonSchemas(refTo),
    Corridor: CORRIDOR,
    CreatedAsk: object(
      { ...COMMON, warnings: { type: 'array', minItems: 1, items: object({ code: text, message: text }) } },
      ['warnings'],
    ),
    FoundAsk: object(
      {
        ...COMMON,
        requestId: text,
        operationId: { ...text, description: 'Present after an operation exists.' },
        createdAt: time,
        updatedAt: time,
        expiresAt: time,
      },
      ['operationId'],
    ),
    ...others,
    ...webhookSchemas(),
    ...ERRORS,
  };
}
