import { z } from 'zod';
import { isEmail } from '../person/email.ts';
import { requiredOr, string } from './schemas.ts';

/** Accepts an absent property, which `z.unknown()` alone would reject. */
export const evenAbsent = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => value, schema);

/** Any value, even an absent one: a later check reports it with a code of its own. */
export const checkedLater = (description: string, type = 'string') =>
  evenAbsent(z.unknown()).meta({ type, description });

/** An email address of a REST body. */
export const email = string().refine(isEmail, 'must be an email address').meta({ format: 'email' });

/** The messages of a strict object for issues of the whole object. */
const strictObjectError = {
  error: (issue: z.core.$ZodRawIssue) =>
    issue.code === 'unrecognized_keys' ? undefined : requiredOr('must be an object')(issue),
};

/** An object of a REST body that has no other properties than these. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, strictObjectError);
