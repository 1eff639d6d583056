import type { z } from 'zod';
import { type Failure, MOST_NAMED, type Result, succeed } from '../../kernel/errors/result.ts';
import { toShortText } from '../../kernel/text.ts';

/** Most characters of a key in a message. */
const LONGEST_KEY = 64;

/** The value of a body by its schema. Fails with ERROR_REQUEST_MONEY_FULL, once for each issue. */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? succeed(parsed.data)
    : { ok: false, failures: parsed.error.issues.map(toShapeFailure) };
}

/** The failure of one issue of a schema. */
export function toShapeFailure(issue: z.core.$ZodIssue): Failure {
  const path = issue.path.map(String);
  const message = `${path.join('.') || 'The body'} ${
    issue.code === 'unrecognized_keys' ? `has unknown properties: ${listKeys(issue.keys)}` : issue.message
  }`;
  return { code: 'ERROR_REQUEST_MONEY_FULL', message, path };
}

/** The caller chooses the keys: they are as many and as long as the body allows. */
function listKeys(keys: readonly string[]): string {
  const named = keys.slice(0, MOST_NAMED).map((key) => toShortText(key, LONGEST_KEY));
  const left = keys.length - named.length;
  return `${named.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
