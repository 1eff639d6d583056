import { LosslessNumber } from 'lossless-json';
import { Field, ID, InputType, Int, ObjectType, Resolver } from 'type-graphql';
import {
  DocumentedMutation,
  inputToBody,
  type MutationCall,
  toPayload,
} from '../../graph/documented-mutation.ts';
import { Money } from '../../graph/money.type.ts';
import { RequiresScopes } from '../../graph/requires-scopes.ts';
import { DateTimeScalar, DecimalScalar } from '../../graph/scalars.ts';
import { payloadType } from '../../graph/user-error.type.ts';
import { andThen } from '../../kernel/errors/result.ts';
import { readCreateQuote } from '../commands/create-quote.ts';
import type { OperationService } from '../service.ts';
import type { QuoteDocument } from '../store/quotes.ts';

@InputType({ description: 'A request for money whose price the quote locks.' })
class CreateQuoteInput {
  @Field(() => String, {
    nullable: true,
    description: "Country of the payer, ISO 3166-1 alpha-2; the partner's source country when absent.",
  })
  sourceCountry?: string | null;

  @Field(() => String, { description: 'Country of the payout, ISO 3166-1 alpha-2.' })
  destinationCountry!: string;

  @Field(() => DecimalScalar, {
    description:
      'Amount that the recipient gets: over 0 and below 1,000,000,000,000, with at most the decimals of the currency.',
  })
  amount!: string;

  @Field(() => String, { description: 'Currency of the recipient, ISO 4217.' })
  currency!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'How long the price is locked, 1 to 3600 seconds; 60 when absent.',
  })
  expiresInSeconds?: number | null;
}

/** Turns a GraphQL input into the equal body of `POST /v1/quotes`. */
function toBody({ amount, ...input }: CreateQuoteInput): unknown {
  return { ...inputToBody(input), amount: new LosslessNumber(amount) };
}

@ObjectType({
  description:
    'A locked price: until it expires, one request for money with the same amount and corridor can use it.',
})
@RequiresScopes('partner')
class Quote {
  @Field(() => ID, { description: 'Id of the quote, for `quoteId` of a request for money.' })
  id!: string;

  @Field(() => String, { description: 'Country of the payer, ISO 3166-1 alpha-2.' })
  sourceCountry!: string;

  @Field(() => String, { description: 'Country of the payout, ISO 3166-1 alpha-2.' })
  destinationCountry!: string;

  @Field(() => Money, { description: 'Amount that the recipient gets.' })
  recipient!: Money;

  @Field(() => Money, { description: 'Amount that the payer pays, fee included.' })
  send!: Money;

  @Field(() => Money, { description: "The partner's fee, a part of `send`." })
  fee!: Money;

  @Field(() => DecimalScalar, {
    description: "Exchange rate: units of the recipient's currency for one unit of the payer's.",
  })
  rate!: string;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time of the exchange rate; null between equal currencies.',
  })
  rateAsOf!: Date | null;

  @Field(() => DateTimeScalar, { description: 'When the quote was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'From then on no request can use the quote.' })
  expiresAt!: Date;
}

@ObjectType({ description: 'The locked price, or why the mutation failed.' })
class CreateQuotePayload extends payloadType('quote', Quote, 'The quote; null on failure.') {}

/** Locked prices. */
@Resolver(() => Quote)
export class QuoteResolver {
  constructor(private readonly operations: Pick<OperationService, 'createQuote'>) {}

  @DocumentedMutation({
    scopes: ['partner', 'partner_write'],
    payload: () => CreateQuotePayload,
    graphql: {
      description:
        'Locks exchange rate and fee of a request for money. Fails with RATE_STALE for a live key while the rate is too old.',
      input: {
        type: () => CreateQuoteInput,
        description: 'The request for money whose price the quote locks.',
        toBody,
      },
    },
    rest: { field: 'createQuoteFromJson', description: 'POST /v1/quotes: the body as it was sent.' },
  })
  async createQuote({ principal, body }: MutationCall): Promise<CreateQuotePayload> {
    const created = await andThen(readCreateQuote(body), (command) =>
      this.operations.createQuote(principal, command),
    );
    return toPayload('quote', created, toQuote);
  }
}

function toQuote(quote: QuoteDocument): Quote {
  const { sourceCountry, destinationCountry, exchangeRate: rate, createdAt, expiresAt } = quote;
  return Object.assign(new Quote(), {
    ...{ id: quote._id, sourceCountry, destinationCountry, rate, createdAt, expiresAt },
    recipient: { amount: quote.recipientAmount, currency: quote.recipientCurrency },
    send: { amount: quote.amount, currency: quote.senderCurrency },
    fee: { amount: quote.tenantFee, currency: quote.senderCurrency },
    rateAsOf: quote.rateAsOf ?? null,
  });
}
