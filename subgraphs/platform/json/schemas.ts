import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { orTooComplex } from './parse-json.ts';

const LONGEST_TEXT = 255;

/** The message of an absent value, and that of a wrong one. */
export const requiredOr = (message: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? 'is required' : orTooComplex(message)(issue);
/** A string; its messages tell an absent value from a wrong one. */
export const string = () => z.string({ error: requiredOr('must be a string') });

/** Rejects a number for an object: a LosslessNumber is an object to JavaScript. */
export function rejectLosslessNumber<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (isLosslessNumber(value) ? value.toString() : value), schema);
}

/** The message for a body that is invalid as a whole. */
export const bodyError = { error: orTooComplex('must be a JSON object') };

/** An object that ignores what it does not know. */
export const object = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(shape, { error: requiredOr('must be an object') });

/** A text of a REST body: 1 to 255 characters of well-formed Unicode. */
export const text = string()
  // A second step, because a list has a length too, and would be called empty.
  .pipe(
    z
      .string()
      .min(1, 'must not be empty')
      .max(LONGEST_TEXT, `must have at most ${LONGEST_TEXT} characters`)
      .refine(isWellFormed, 'must be well-formed Unicode'),
  )
  .meta({ minLength: 1, maxLength: LONGEST_TEXT });

/** An optional text. An empty text, as forms send it, counts as absent. */
export const optionalText = string()
  .max(LONGEST_TEXT, `must have at most ${LONGEST_TEXT} characters`)
  .refine(isWellFormed, 'must be well-formed Unicode')
  .optional()
  .transform((value) => value || undefined)
  .meta({ maxLength: LONGEST_TEXT });

/** JSON can have half a surrogate pair; no database stores it and no link can contain it. */
export function isWellFormed(value: string): boolean {
  return !/\p{Surrogate}/u.test(value);
}

/** The beginning of a caller's text, well-formed, for a message or an event. */
export function toShortText(value: string, longest: number): string {
  const short = value.length > longest ? `${value.slice(0, longest - 1)}…` : value;
  return short.replace(/\p{Surrogate}/gu, '\uFFFD');
}

const LONGEST_LIFE_MINUTES = 43_200;

/** How long something lives, in whole minutes of a REST body: 1 to 43200 (30 days). */
export const lifeMinutes = z
  .custom<LosslessNumber>(isLosslessNumber, 'must be a number')
  .transform((value) => Number(value.toString()))
  .pipe(
    z
      .int('must be a whole number')
      .min(1, 'must be at least 1')
      .max(LONGEST_LIFE_MINUTES, `must be at most ${LONGEST_LIFE_MINUTES}`),
  )
  .meta({ type: 'integer', minimum: 1, maximum: LONGEST_LIFE_MINUTES });
