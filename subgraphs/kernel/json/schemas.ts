import { Decimal } from 'decimal.js';
import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { ENVIRONMENTS } from '../account.ts';
import { maskCardNumbers } from '../person/mask-numbers.ts';
import { findNameIssue } from '../person/name.ts';
import { findTextIssue, isBlank } from '../text.ts';
import { orUnread } from './parse-json.ts';

const LONGEST_TEXT = 255;

/** The message of an absent value, and that of a wrong one. */
export const requiredOr = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : orUnread(message)(issue);
/** A string. Its error messages distinguish an absent value from a wrong one. */
export const string = () => z.string({ error: requiredOr('must be a string') });

/** Rejects a number for an object: a LosslessNumber is an object to JavaScript. */
export function rejectLosslessNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (isLosslessNumber(value) ? value.toString() : value), schema);
}

/** The message for a body that is invalid as a whole. */
export const bodyError = { error: orUnread('must be a JSON object') };

/** An object that ignores what it does not know. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(shape, { error: requiredOr('must be an object') });

/** A string in which `findIssue` finds nothing. A second step, because values of other types have an issue of their own. */
const checked = (findIssue: (value: string) => string | undefined) =>
  string().pipe(
    z.string().superRefine((value, context) => {
      const message = findIssue(value);
      if (message !== undefined) {
        context.addIssue({ code: 'custom', message });
      }
    }),
  );

const findLengthIssue = (value: string, longest: number) =>
  value.length > longest ? `must have at most ${longest} characters` : undefined;

/** A text of a REST body: 1 to `longest` characters, one of them visible, as {@link findTextIssue} takes them. */
export const textOf = (longest: number) =>
  checked((value) =>
    isBlank(value) ? 'must not be empty' : (findLengthIssue(value, longest) ?? findTextIssue(value)),
  ).meta({ minLength: 1, maxLength: longest });

/** A text of a REST body: 1 to 255 characters, as {@link findTextIssue} takes them. */
export const text = textOf(LONGEST_TEXT);

/** An environment that a call of the platform's back end names (decisions, section 8, "Internal calls"). */
export const environment = z
  .enum(ENVIRONMENTS, { error: requiredOr(`must be ${ENVIRONMENTS.join(' or ')}`) })
  .describe('By default the environment that has the record; 409 AMBIGUOUS_ENVIRONMENT where both have one.');

/** A {@link text} that comes from a provider, without card numbers: it is stored, and sent to partners. */
export const providerText = text.transform(maskCardNumbers).meta({ minLength: 1, maxLength: LONGEST_TEXT });

/** A text that may be empty, of up to `longest` characters (code points). */
export const freeText = (longest: number) =>
  checked((value) =>
    [...value].length > longest ? `must have at most ${longest} characters` : findTextIssue(value),
  ).meta({ maxLength: longest });

/** An optional text. An empty text, as forms send it, or one that shows nothing counts as absent. */
export const optionalText = checked((value) => findLengthIssue(value, LONGEST_TEXT) ?? findTextIssue(value))
  .optional()
  .transform((value) => (value === undefined || isBlank(value) ? undefined : value))
  .meta({ maxLength: LONGEST_TEXT });

/** A name of a person, or an id that the partner gives a person: 1 to 255 characters, as {@link findNameIssue} takes them. */
export const personName = checked(
  (value) => findLengthIssue(value, LONGEST_TEXT) ?? findNameIssue(value),
).meta({
  minLength: 1,
  maxLength: LONGEST_TEXT,
});

/** A whole number of a REST body, from 1 to `most`, by its digits: `1e3` and `60.0` are whole, `1.00000000000000000001` is not. */
export const wholeNumber = (most: number) =>
  z
    .custom<LosslessNumber>(isLosslessNumber, 'must be a number')
    .transform((value) => {
      const exact = new Decimal(value.toString());
      return exact.isInteger() ? exact.toNumber() : Number.NaN;
    })
    .pipe(z.int('must be a whole number').min(1, 'must be at least 1').max(most, `must be at most ${most}`))
    .meta({ type: 'integer', minimum: 1, maximum: most });

const LONGEST_LIFE_MINUTES = 43_200;

/** How long something lives, in whole minutes of a REST body: 1 to 43200 (30 days). */
export const lifeMinutes = wholeNumber(LONGEST_LIFE_MINUTES);
