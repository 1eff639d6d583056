import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { invalid, issue } from '../../kernel/json/read-body.ts';
import {
  bodyError,
  rejectLosslessNumber,
  requiredOr,
  string,
  wholeNumber,
} from '../../kernel/json/schemas.ts';
import { AMOUNT_LIMIT, AMOUNT_MESSAGES, readAmount } from '../../kernel/money/amount.ts';
import { isCountry, isCurrency } from '../../kernel/money/iso.ts';

const DEFAULT_LIFE_SECONDS = 60;
const LONGEST_LIFE_SECONDS = 3_600;

const country = string().refine(isCountry, 'must be an ISO 3166-1 alpha-2 code');

/** The body of `POST /v1/quotes`. */
export const createQuoteSchema = rejectLosslessNumber(
  z.object(
    {
      sourceCountry: country
        .optional()
        .describe("Country of the payer, ISO 3166-1 alpha-2. Default: the partner's source country."),
      destinationCountry: country.describe('Country of the payout, ISO 3166-1 alpha-2.'),
      amount: z.custom<LosslessNumber>(isLosslessNumber, { error: requiredOr('must be a number') }).meta({
        description: "Amount that the recipient gets: at most the currency's decimals.",
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: AMOUNT_LIMIT,
      }),
      currency: string()
        .refine(isCurrency, 'must be an ISO 4217 code')
        .describe('Currency of the recipient, ISO 4217.'),
      expiresInSeconds: wholeNumber(LONGEST_LIFE_SECONDS)
        .meta({ description: 'How long the price is locked, in seconds.' })
        .default(DEFAULT_LIFE_SECONDS),
    },
    bodyError,
  ),
);

/** A quote to make, whose body has passed every rule. */
export type CreateQuoteCommand = Omit<z.output<typeof createQuoteSchema>, 'amount'> & {
  /** Decimal digits as sent. */
  readonly amount: string;
};

/** Reads the JSON value of a body, numbers as LosslessNumbers. Failure: VALIDATION_FAILED, once for each issue. */
export function readCreateQuote(body: unknown): Result<CreateQuoteCommand> {
  const parsed = createQuoteSchema.safeParse(body);
  if (!parsed.success) {
    return invalid(parsed.error.issues.map(({ path, message }) => issue(path, message, 'VALIDATION_FAILED')));
  }
  const amount = readAmount(parsed.data.amount.toString(), parsed.data.currency);
  return amount.ok
    ? succeed({ ...parsed.data, amount: amount.amount })
    : invalid([issue(['amount'], AMOUNT_MESSAGES[amount.issue], 'VALIDATION_FAILED')]);
}
