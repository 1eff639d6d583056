import type { CreateQuoteMutation } from '../../schema/operations/types.ts';
import { shape } from '../../subgraphs/kernel/json/shape.ts';
import type { Call } from '../shared/call.ts';
import { text, time } from '../shared/openapi/document.ts';
import { payloadOutcome } from '../shared/outcome.ts';
import { exactNumber } from '../shared/reply.ts';
import { bodyOf } from '../shared/request.ts';

type Quote = NonNullable<CreateQuoteMutation['createQuoteFromJson']['quote']>;

const number = (description: string) => ({ type: 'number', description });

/** A locked price: the schema `Quote`. */
export const quoteOf = shape<Quote>({
  quoteId: [{ ...text, description: 'For `quoteId` of a request for money.' }, ({ id }) => id],
  sourceCountry: [text, ({ sourceCountry }) => sourceCountry],
  destinationCountry: [text, ({ destinationCountry }) => destinationCountry],
  amount: [number('Amount that the recipient gets.'), ({ recipient }) => exactNumber(recipient.amount)],
  currency: [{ ...text, description: 'Of `amount`, ISO 4217.' }, ({ recipient }) => recipient.currency],
  send: [number('Amount that the payer pays, fee included.'), ({ send }) => exactNumber(send.amount)],
  sourceCurrency: [{ ...text, description: 'Of `send` and `fee`, ISO 4217.' }, ({ send }) => send.currency],
  fee: [number("The partner's fee, a part of `send`."), ({ fee }) => exactNumber(fee.amount)],
  rate: [
    number("Units of the recipient's currency for one unit of the payer's."),
    ({ rate }) => exactNumber(rate),
  ],
  rateAsOf: [
    { ...time, description: 'Time of the rate; omitted between equal currencies.' },
    ({ rateAsOf }) => rateAsOf,
    'optional',
  ],
  createdAt: [time, ({ createdAt }) => createdAt],
  expiresAt: [
    { ...time, description: 'From then on no request can use the quote.' },
    ({ expiresAt }) => expiresAt,
  ],
});

/** Locks a price. No document has this call: it is ours, in document 2's shapes. */
export const CALLS: readonly Call[] = [
  {
    method: 'POST',
    path: '/v1/quotes',
    operationId: 'createQuote',
    summary: 'Locks exchange rate and fee of a request for money for 1 to 3,600 seconds',
    description:
      'One request with the same amount and corridor can use the quote, by `quoteId`, until it expires: `POST /v1/request-money`, or a call of document 1.',
    body: 'CreateQuote',
    answers: {
      201: ['Quote', 'The locked price'],
      422: [
        'Unprocessable',
        'The issues of the body, CORRIDOR_UNRESOLVABLE without a source country, or ROUTE_NOT_AVAILABLE',
      ],
      503: ['Refused', 'RATE_STALE: the rate is too old for live calls; or SERVICE_UNAVAILABLE'],
    },
    document: 'createQuote',
    variables: bodyOf(),
    present: ({ createQuoteFromJson: payload }) => payloadOutcome(payload, payload.quote, quoteOf),
  },
];
