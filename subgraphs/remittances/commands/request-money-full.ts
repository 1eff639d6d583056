import { z } from 'zod';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import { checkedLater, evenAbsent, strictObject } from '../../kernel/json/fields.ts';
import { optionalText, rejectLosslessNumber, text } from '../../kernel/json/schemas.ts';
import { AMOUNT_LIMIT } from '../../kernel/money/amount.ts';
import { isUsableId, LONGEST_ID } from '../../kernel/text.ts';
import { contactShape, methodShape, registrationShape, toShapeFailure } from '../../users/index.ts';

const strict = <Shape extends z.ZodRawShape>(shape: Shape) => rejectLosslessNumber(strictObject(shape));

/** The body of the atomic call, without checks that have codes of their own; numbers are LosslessNumbers. */
export const requestMoneyFullShape = strict({
  requester: registrationShape,
  request: strict({
    recipientCurrency: checkedLater("ISO 4217; the partner's and the payment method's."),
    recipientAmount: checkedLater("Over 0, at most the currency's decimals.", 'number').meta({
      exclusiveMinimum: 0,
      exclusiveMaximum: AMOUNT_LIMIT,
    }),
    reason: optionalText.describe('Reason for the request.'),
    quoteId: text
      .optional()
      .describe(
        'A quote of the same amount and corridor (`POST /v1/quotes`): its price is that of the payer.',
      ),
    destinationPaymentMethod: methodShape,
    correlationId: evenAbsent(
      z
        .unknown()
        .refine(
          (value) => typeof value !== 'string' || isUsableId(value),
          `must have at most ${LONGEST_ID} characters, no control characters among them`,
        ),
    ).meta({
      type: 'string',
      minLength: 1,
      maxLength: LONGEST_ID,
      description: "The partner's id of the request, never used before.",
    }),
    requestTo: contactShape,
  }),
});

/** An atomic call whose body has the right shape. Its values are checked later, in the documented order. */
export type RequestMoneyFullCommand = z.output<typeof requestMoneyFullShape>;

/** Reads the JSON value of a body. Failure: ERROR_REQUEST_MONEY_FULL, once for each issue of its shape. */
export function readRequestMoneyFull(body: unknown): Result<RequestMoneyFullCommand> {
  const parsed = requestMoneyFullShape.safeParse(body);
  return parsed.success
    ? succeed(parsed.data)
    : { ok: false, failures: parsed.error.issues.map(toShapeFailure) };
}
