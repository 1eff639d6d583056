import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import type { Failure } from '../../platform/errors/result.ts';
import {
  bodyError,
  lifeMinutes,
  object,
  rejectLosslessNumber,
  requiredOr,
  string,
  text,
  toShortText,
} from '../../platform/json/schemas.ts';
import {
  AMOUNT_LIMIT,
  type AmountIssue,
  type AmountResult,
  readAmount,
} from '../../platform/money/amount.ts';
import { isDate } from '../../platform/person/checks.ts';

const LONGEST_ACCOUNT = 34;
const DEFAULT_LIFE_MINUTES = 10_080;

/** Ways to be paid out (document 2, "Create body"). */
export const PAYOUT_METHODS = ['bank_account', 'card', 'cash'] as const;
export type PayoutMethod = (typeof PAYOUT_METHODS)[number];

const accountNumber = string()
  .transform((value) => value.replaceAll(' ', ''))
  .pipe(z.string().regex(/^[A-Za-z0-9]{1,34}$/, `must be 1 to ${LONGEST_ACCOUNT} letters and digits`))
  // Afterwards: there are letters beyond A to Z whose capitals are within.
  .transform((value) => value.toUpperCase())
  .meta({
    description: 'Spaces are removed and lowercase letters turned into uppercase.',
    pattern: '^ *([A-Za-z0-9] *){1,34}$',
  });

const cardNumber = string()
  .transform((value) => value.replaceAll(' ', ''))
  .pipe(z.string().regex(/^\d{12,19}$/, 'must be 12 to 19 digits'))
  .meta({ description: 'Spaces are removed.', pattern: '^ *([0-9] *){12,19}$' });

const bankAccount = object({
  accountNumber: accountNumber.optional(),
  number: accountNumber.optional(),
  bankCode: text.optional(),
})
  .refine((account) => (account.accountNumber ?? account.number) !== undefined, {
    path: ['accountNumber'],
    message: 'is required',
    // Also when something else is wrong: every fault is told.
    when: ({ value }) => isRecord(value),
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
  userReferenceId: text.describe("The partner's id for the requester."),
  name: rejectLosslessNumber(
    object({
      firstName: text,
      lastName: text,
      secondName: text.optional(),
      secondLastName: text.optional(),
    }),
  ),
  address: rejectLosslessNumber(
    object({
      country: text.describe('Destination country, ISO 3166-1 alpha-2.'),
      state: text.optional().describe('State, as the route maps it.'),
      city: text.optional(),
      line1: text.optional(),
      postalCode: text.optional(),
    }),
  ),
  dob: date.optional().describe('Date of birth; recommended when available.'),
};

const card = object({
  number: cardNumber,
  nameOnCard: text.optional(),
  expirationDate: text.optional(),
});
const cash = object({ provider: text });

/** The payout object that each method needs; it stands beside `payoutMethod`. Objects of other methods are dropped. */
export const payoutSchemas = {
  bank_account: z.object({ bankAccount: rejectLosslessNumber(bankAccount) }),
  card: z.object({ card: rejectLosslessNumber(card) }),
  cash: z.object({ cash: rejectLosslessNumber(cash) }),
};

/** The body of a create, but for the payout object. */
export const bodySchema = rejectLosslessNumber(
  z.object(
    {
      referenceId: string()
        .regex(/^[a-zA-Z0-9]{8}$/, 'must be exactly 8 letters or digits')
        .describe("The partner's stable operation code."),
      amount: z.custom<LosslessNumber>(isLosslessNumber, { error: requiredOr('must be a number') }).meta({
        description: "At most the currency's decimals; exact to the digits sent.",
        type: 'number',
        exclusiveMinimum: 0,
        exclusiveMaximum: AMOUNT_LIMIT,
      }),
      currency: text.describe('Destination (receive) currency of the ask, ISO 4217.'),
      expiresInMinutes: lifeMinutes
        .meta({ description: 'Life of the payer link in minutes.' })
        .default(DEFAULT_LIFE_MINUTES),
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

/** Who asks, and how they are to be paid: as sent, with account numbers normalised and unknown properties dropped. */
export type RequestData = z.output<typeof bodySchema>['requestData'] & Payout;

/** Where the money is paid out to: the object of the ask's payout method. */
export interface Payout {
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
  requestData: RequestData;
}

/** A body as read, and what is wrong with it; `command` is there when nothing is. */
export interface ReadBody {
  readonly command?: CreateCommand;
  readonly issues: readonly Failure[];
}

/** Checks a create body against every rule of document 2 and finds all faults, not only the first. */
export function readBody(body: unknown): ReadBody {
  const parsed = bodySchema.safeParse(body);
  const amount = amountOf(body);
  const payout = payoutOf(body);
  const issues = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => issue(path, message)),
    ...(payout?.error?.issues ?? []).map(({ path, message }) => issue(['requestData', ...path], message)),
    ...(amount && !amount.ok ? [issue(['amount'], AMOUNT_MESSAGES[amount.issue])] : []),
    ...findRecipientReference(body, []),
  ];
  if (issues.length > 0 || !parsed.success || !amount?.ok || !payout?.success) {
    return { issues };
  }
  const requestData: RequestData = { ...parsed.data.requestData, ...payout.data };
  return { issues: [], command: { ...parsed.data, amount: amount.amount, requestData } };
}

/** The payout object by the rules of its method, whatever else is wrong; undefined when no method is known. */
function payoutOf(body: unknown) {
  const requestData = isRecord(body) ? body.requestData : undefined;
  const method = PAYOUT_METHODS.find((one) => isRecord(requestData) && requestData.payoutMethod === one);
  return method && payoutSchemas[method].safeParse(requestData);
}

/** The amount by its own rules, whatever else is wrong; undefined when it is no number, which the schema tells. */
function amountOf(body: unknown): AmountResult | undefined {
  const { amount, currency } = isRecord(body) ? body : {};
  return isLosslessNumber(amount)
    ? readAmount(amount.toString(), typeof currency === 'string' ? currency : '')
    : undefined;
}

const AMOUNT_MESSAGES: Readonly<Record<AmountIssue, string>> = {
  NOT_A_NUMBER: 'must be a number',
  NOT_POSITIVE: 'must be greater than 0',
  TOO_LARGE: `must be less than ${AMOUNT_LIMIT}`,
  TOO_MANY_DECIMALS: 'has more decimals than the currency',
  LOSES_DIGITS: 'has more digits than a JSON number carries exactly',
};

/** `recipientReferenceId` must not be sent on create, wherever it stands (document 2, "Create body"). */
function findRecipientReference(value: unknown, path: readonly string[]): Failure[] {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([key, child]) => {
    const here = [...path, key];
    return key === 'recipientReferenceId'
      ? [issue(shorten(here), 'must not be sent')]
      : findRecipientReference(child, here);
  });
}

const LONGEST_KEY = 64;
const LONGEST_PATH = 16;

/** A path through keys of the caller's own, which may be as long as the body: 20 of them must not make a huge answer. */
function shorten(path: readonly string[]): string[] {
  const keys = path.slice(0, LONGEST_PATH).map((key) => toShortText(key, LONGEST_KEY));
  return path.length > LONGEST_PATH ? [...keys, '…'] : keys;
}

/** A fault of the body: the message says what the value at the path must be. */
export function issue(path: readonly PropertyKey[], message: string): Failure {
  return { code: 'VALIDATION_FAILED', message, path: path.map(String) };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
