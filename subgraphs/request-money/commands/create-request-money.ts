import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import {
  bodyError,
  lifeMinutes,
  object,
  personName,
  rejectLosslessNumber,
  requiredOr,
  string,
  text,
} from '../../kernel/json/schemas.ts';
import { AMOUNT_LIMIT } from '../../kernel/money/amount.ts';
import { PAYOUT_METHODS, type PayoutMethod } from '../../kernel/money/payout-methods.ts';
import { isCardNumber, toCardDigits } from '../../kernel/person/card.ts';
import { isDate } from '../../kernel/person/checks.ts';

const LONGEST_ACCOUNT = 34;
const DEFAULT_LIFE_MINUTES = 10_080;

const accountNumber = string()
  .transform((value) => value.replaceAll(' ', ''))
  .pipe(z.string().regex(/^[A-Za-z0-9]{1,34}$/, `must be 1 to ${LONGEST_ACCOUNT} letters and digits`))
  // After the check: some letters other than A to Z have capitals in that range.
  .transform((value) => value.toUpperCase())
  .meta({
    description: 'Spaces are removed and lowercase letters turned into uppercase.',
    pattern: '^ *([A-Za-z0-9] *){1,34}$',
  });

const cardNumber = string()
  .transform(toCardDigits)
  .refine(isCardNumber, 'must be a card number: 12 to 19 digits with a valid check digit')
  .meta({
    description: 'It passes Luhn, and is not one digit repeated. Spaces and dashes are removed.',
    pattern: '^[ -]*([0-9][ -]*){12,19}$',
  });

const bankAccount = object({
  accountNumber: accountNumber.optional(),
  number: accountNumber.optional(),
  bankCode: text.optional(),
})
  .refine((account) => (account.accountNumber ?? account.number) !== undefined, {
    path: ['accountNumber'],
    message: 'is required',
    // This check runs even when something else is wrong: every issue is reported.
    when: ({ value }) => typeof value === 'object' && value !== null && !Array.isArray(value),
  })
  .transform(({ accountNumber: current, number: legacy = '', bankCode }) => ({
    accountNumber: current ?? legacy,
    ...(bankCode === undefined ? {} : { bankCode }),
  }))
  .meta({
    description: '`number` is the legacy alias of `accountNumber`.',
    anyOf: [{ required: ['accountNumber'] }, { required: ['number'] }],
  });

const date = string().refine(isDate, 'must be a date as YYYY-MM-DD').meta({ format: 'date' });

const requester = {
  userReferenceId: personName.describe("The partner's id for the requester."),
  name: rejectLosslessNumber(
    object({
      firstName: personName,
      lastName: personName,
      secondName: personName.optional(),
      secondLastName: personName.optional(),
    }),
  ),
  address: rejectLosslessNumber(
    object({
      country: text.describe('Destination country, ISO 3166-1 alpha-2.'),
      state: text.optional().describe('State, as named in the route of the partner.'),
      city: text.optional(),
      line1: text.optional(),
      postalCode: text.optional(),
    }),
  ),
  dob: date.optional().describe('Date of birth; recommended when available.'),
};

const card = object({
  number: cardNumber,
  nameOnCard: personName.optional(),
  expirationDate: text.optional(),
});
const cash = object({ provider: personName });

/** The payout object of each method; it stands beside `payoutMethod`. Objects of other methods are dropped. */
export const payoutSchemas = {
  bank_account: z.object({ bankAccount: rejectLosslessNumber(bankAccount) }),
  card: z.object({ card: rejectLosslessNumber(card) }),
  cash: z.object({ cash: rejectLosslessNumber(cash) }),
} as const satisfies Readonly<Record<PayoutMethod, z.ZodType>>;

/** The form of a money request's reference. */
export const REFERENCE = /^[a-zA-Z0-9]{8}$/;

/** The body of a create, without the payout object. */
export const bodySchema = rejectLosslessNumber(
  z.object(
    {
      referenceId: string()
        .regex(REFERENCE, 'must be exactly 8 letters or digits')
        .describe("The partner's stable operation code."),
      amount: z.custom<LosslessNumber>(isLosslessNumber, { error: requiredOr('must be a number') }).meta({
        description: "At most the currency's decimals; exact to the digits sent.",
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: AMOUNT_LIMIT,
      }),
      currency: text.describe('Destination (receive) currency of the money request, ISO 4217.'),
      expiresInMinutes: lifeMinutes
        .meta({ description: 'Life of the payer link in minutes.' })
        .default(DEFAULT_LIFE_MINUTES),
      quoteId: text
        .optional()
        .describe(
          'A quote of the same amount and corridor (`POST /v1/quotes`): its price is that of the payer.',
        ),
      requestData: rejectLosslessNumber(
        object({
          ...requester,
          payoutMethod: z.enum(PAYOUT_METHODS, {
            error: requiredOr(`must be one of ${PAYOUT_METHODS.join(', ')}`),
          }),
        }),
      ),
    },
    bodyError,
  ),
);

/** The requester and the payout: as sent, but with normalised account numbers and without unknown properties. */
export type RequestData = z.output<typeof bodySchema>['requestData'] & Payout;

/** The payout: the object of the payout method. */
interface Payout {
  bankAccount?: z.output<typeof bankAccount>;
  card?: z.output<typeof card>;
  cash?: z.output<typeof cash>;
}

/** A create that has passed every rule of the body. */
export interface CreateCommand {
  referenceId: string;
  /** Decimal digits as sent, such as `1500.5`. */
  amount: string;
  currency: string;
  expiresInMinutes: number;
  /** The quote that has the price. */
  quoteId?: string | undefined;
  requestData: RequestData;
}
