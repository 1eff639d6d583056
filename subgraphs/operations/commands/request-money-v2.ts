import { z } from 'zod';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { type Failure, type Result, succeed } from '../../kernel/errors/result.ts';
import { orUnread } from '../../kernel/json/parse-json.ts';
import { optionalText, rejectLosslessNumber, text } from '../../kernel/json/schemas.ts';
import { AMOUNT_LIMIT } from '../../kernel/money/amount.ts';
import { isBlank, isUsableId, LONGEST_ID } from '../../kernel/text.ts';
import { methodShape, type RawPaymentMethod } from '../../users/index.ts';

/** A required value. A later check, with a code of its own, checks the value in the documented order. */
const given = (description: string) =>
  z
    .unknown()
    .refine((value) => value !== undefined, 'is required')
    .meta({ type: 'string', description });

/** The body of request-money v2, without checks that have codes of their own. Unknown properties are ignored. */
export const requestMoneyV2Schema = rejectLosslessNumber(
  z.object(
    {
      requestTo: given("Phone in E.164 or national form, or the email of one of the user's contacts."),
      correlationId: z
        .unknown()
        .refine((value) => typeof value === 'string' && !isBlank(value), {
          message: 'is required',
          params: { code: 'ERROR_CORRELATION_ID_REQUIRED' satisfies ErrorCode },
          abort: true,
        })
        .refine(
          (value) => isUsableId(String(value)),
          `must have at most ${LONGEST_ID} characters, no control characters among them`,
        )
        .meta({
          type: 'string',
          minLength: 1,
          maxLength: LONGEST_ID,
          description: "The partner's id of the operation, never used before.",
        }),
      recipientAmount: given("The amount that the user gets: over 0, at most the currency's decimals.").meta({
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: AMOUNT_LIMIT,
      }),
      recipientCurrency: given("ISO 4217, the partner's and the payment method's."),
      reason: optionalText.describe('Reason for the request.'),
      quoteId: text
        .optional()
        .describe(
          'A quote of the same amount and corridor (`POST /v1/quotes`): its price is that of the payer.',
        ),
      destinationPaymentMethodId: z
        .unknown()
        .meta({ type: 'string', description: "Id of one of the user's payment methods; it wins." })
        .optional(),
      destinationPaymentMethod: z
        .unknown()
        .meta({ type: 'object', description: 'A payment method in full.' })
        .optional(),
    },
    { error: orUnread('must be an object') },
  ),
);

/** A request for money by v2 whose body has the right shape. Its values are checked later, in the documented order. */
export interface RequestMoneyV2Command {
  requestTo: unknown;
  correlationId: string;
  recipientAmount: unknown;
  recipientCurrency: unknown;
  reason?: string;
  /** The quote that has the price. */
  quoteId?: string;
  destination: { id: unknown } | { method: RawPaymentMethod };
}

/**
 * Reads a JSON value whose numbers are LosslessNumbers, and finds every issue of its shape.
 * Failures: ERROR_REQUEST_MONEY_FULL, ERROR_CORRELATION_ID_REQUIRED.
 */
export function readRequestMoneyV2(body: unknown): Result<RequestMoneyV2Command> {
  const parsed = requestMoneyV2Schema.safeParse(body);
  if (!parsed.success) {
    return { ok: false, failures: parsed.error.issues.map((issue) => toFailure(issue)) };
  }
  const {
    destinationPaymentMethodId: id,
    destinationPaymentMethod,
    correlationId,
    reason,
    quoteId,
    ...rest
  } = parsed.data;
  const destination = readDestination(id, destinationPaymentMethod);
  return destination.ok
    ? succeed({
        ...rest,
        correlationId: String(correlationId),
        ...(reason !== undefined && { reason }),
        ...(quoteId !== undefined && { quoteId }),
        destination: destination.value,
      })
    : destination;
}

/** With two destinations the id wins, and the object is ignored (document 1, request-money v2). */
function readDestination(id: unknown, method: unknown): Result<RequestMoneyV2Command['destination']> {
  if (id !== undefined) {
    return succeed({ id });
  }
  if (method === undefined) {
    const message = 'destinationPaymentMethodId or destinationPaymentMethod is required';
    return { ok: false, failures: [{ code: 'ERROR_REQUEST_MONEY_FULL', message }] };
  }
  const parsed = methodShape.safeParse(method);
  return parsed.success
    ? succeed({ method: parsed.data })
    : {
        ok: false,
        failures: parsed.error.issues.map((issue) => toFailure(issue, ['destinationPaymentMethod'])),
      };
}

function toFailure(issue: z.core.$ZodIssue, prefix: readonly string[] = []): Failure {
  const path = [...prefix, ...issue.path.map(String)];
  const hasOwnCode = issue.code === 'custom' && issue.params?.code === 'ERROR_CORRELATION_ID_REQUIRED';
  return {
    code: hasOwnCode ? 'ERROR_CORRELATION_ID_REQUIRED' : 'ERROR_REQUEST_MONEY_FULL',
    message: `${path.join('.') || 'The body'} ${issue.message}`,
    path,
  };
}
