import { z } from 'zod';
import { isMissing, string } from '../platform/json/schemas.ts';

const LONGEST_EMAIL = 254;

/**
 * A value whose check has a code of its own, at that check's place: any value passes the shape. So does an absent
 * property, which `z.unknown()` alone would refuse.
 */
export const coded = (description: string) =>
  z.preprocess((value) => value, z.unknown()).meta({ type: 'string', description });

/** An email address of a REST body. */
export const email = string()
  .pipe(z.email('must be an email address').max(LONGEST_EMAIL))
  .meta({ format: 'email' });

/** How a strict object says what is wrong with it as a whole. */
export const strictObjectError = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? undefined : isMissing('must be an object')(issue),
};
