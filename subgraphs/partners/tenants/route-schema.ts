import { Decimal } from 'decimal.js';
import { z } from 'zod';
import { currencyIssue, isCountry } from '../../kernel/money/iso.ts';
import { isRecord } from '../../kernel/objects.ts';

export const decimal = z.string().regex(/^\d+(\.\d+)?$/, 'must be a decimal string');
export const country = z.string().refine(isCountry, 'must be an ISO 3166-1 alpha-2 code');
/** A currency that is in force. The message of a withdrawn one names it and its successor. */
export const currency = z.string().refine((code) => currencyIssue(code) === undefined, {
  error: ({ input }) => currencyIssue(String(input)),
});

/** A check of a whole object. It is made beside those of the properties, so that every issue is reported at once. */
const whole = (path: string, error: string) => ({ path: [path], error, when: () => true });

/** A route of `SEED_FILE` and of `route set`. */
export const routeSchema = z
  .strictObject({
    sourceCountry: country,
    destinationCountry: country,
    destinationCurrency: currency,
    payoutType: z.enum(['bank_account', 'card', 'cash']),
    payerCode: z.string().nullable().default(null),
    states: z.record(z.string(), z.string()).optional(),
    minAmount: decimal.optional(),
    maxAmount: decimal.optional(),
  })
  .refine(hasOrderedBounds, whole('minAmount', 'must not be above maxAmount'));

const rate = decimal.refine((value) => /[1-9]/.test(value), 'must be over 0');

/** A rate of `SEED_FILE` and of `rate set`. */
export const fxRateSchema = z
  .strictObject({ source: currency, destination: currency, rate })
  .refine(isBetweenTwo, whole('destination', 'must be another currency than source'));

/** Also true for bounds that cannot be compared: they are reported by themselves. */
function hasOrderedBounds(route: unknown): boolean {
  const [min, max] = isRecord(route) ? [route.minAmount, route.maxAmount].map(toDecimal) : [];
  return min === undefined || max === undefined || min.lte(max);
}

function toDecimal(value: unknown): Decimal | undefined {
  const read = decimal.safeParse(value);
  return read.success ? new Decimal(read.data) : undefined;
}

function isBetweenTwo(pair: unknown): boolean {
  return !isRecord(pair) || pair.source === undefined || pair.source !== pair.destination;
}
