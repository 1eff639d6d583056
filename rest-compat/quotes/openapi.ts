import { CATALOGUE } from '../../subgraphs/kernel/errors/catalogue.ts';
import { operationJsonSchemas } from '../../subgraphs/operations/index.ts';
import { COMMON_EXAMPLES, errorExamples } from '../request-money/openapi-examples.ts';
import { describeCalls } from '../shared/openapi/calls.ts';
import { type OpenApiPart, PARTNER_KEY, refTo, TOO_SLOW } from '../shared/openapi/document.ts';
import { type CallExamples, withExamples } from '../shared/openapi/examples.ts';
import { CALLS, quoteOf } from './calls.ts';

const { message } = CATALOGUE.RATE_STALE;

/** The examples of each call, by operationId. */
const CALL_EXAMPLES: Readonly<Record<string, CallExamples>> = {
  createQuote: {
    body: {
      oneMinute: { destinationCountry: 'MX', amount: 1500.5, currency: 'MXN' },
      fifteenMinutes: {
        sourceCountry: 'US',
        destinationCountry: 'MX',
        amount: 1500.5,
        currency: 'MXN',
        expiresInSeconds: 900,
      },
    },
    answers: {
      201: {
        locked: {
          quoteId: 'qt_9xYw2LmNp7RsAcEd3kTq',
          sourceCountry: 'US',
          destinationCountry: 'MX',
          amount: 1500.5,
          currency: 'MXN',
          send: 84.72,
          sourceCurrency: 'USD',
          fee: 2.5,
          rate: 18.25,
          rateAsOf: '2026-11-21T07:59:30.000Z',
          createdAt: '2026-11-21T08:00:00.000Z',
          expiresAt: '2026-11-21T08:01:00.000Z',
        },
      },
      403: errorExamples('INSUFFICIENT_SCOPE'),
      422: { ...COMMON_EXAMPLES[422], ...errorExamples('CORRIDOR_UNRESOLVABLE', 'ROUTE_NOT_AVAILABLE') },
      503: { RATE_STALE: { error: { code: 'RATE_STALE', message } }, ...COMMON_EXAMPLES[503] },
    },
  },
};

const paths = () =>
  describeCalls(CALLS, {
    tag: 'quotes',
    security: PARTNER_KEY,
    pathParameters: {},
    answers: {
      401: ['Unauthenticated', 'Missing or invalid key'],
      403: ['Refused', 'A missing scope'],
    },
    bodyAnswers: {
      ...TOO_SLOW,
      413: ['Refused', 'The body is larger than 1 MiB'],
      415: ['Refused', 'The body is encoded'],
    },
    uncoded: ['Unauthenticated', 'NotFound', 'Unprocessable'],
  });

/** `/v1/quotes`, a part of document 2's description. */
export function quotesOpenApi(): OpenApiPart {
  return {
    paths: withExamples(paths(), CALL_EXAMPLES, COMMON_EXAMPLES),
    schemas: { CreateQuote: operationJsonSchemas(refTo).CreateQuote, Quote: quoteOf.schema },
  };
}
