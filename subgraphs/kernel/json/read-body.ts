import type { z } from 'zod';
import { type Failure, type Result, succeed } from '../errors/result.ts';
import { toShortText } from '../text.ts';

/** The code of a surface for issues of a body or a query: document 3's, or document 2's for internal calls. */
type IssueCode = 'INVALID_REQUEST' | 'VALIDATION_FAILED';

/** An issue of the caller's input: the message says what the value at the path must be. */
export function issue(
  path: readonly PropertyKey[],
  message: string,
  code: IssueCode = 'INVALID_REQUEST',
): Failure {
  return { code, message, path: path.map(String) };
}

const LONGEST_KEY = 64;
const LONGEST_PATH = 16;

/**
 * Shortens a path of keys that the caller has chosen. Keys may be as long as the body, and 20 paths must not make a huge
 * answer.
 */
export function shortPath(path: readonly string[]): string[] {
  const keys = path.slice(0, LONGEST_PATH).map((key) => toShortText(key, LONGEST_KEY));
  return path.length > LONGEST_PATH ? [...keys, '…'] : keys;
}

/** A failure with every issue that was found. */
export function invalid(issues: readonly Failure[]): Result<never> {
  return { ok: false, failures: issues };
}

/** The value of a body or a query, or every issue that it has. */
export function readBody<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  code: IssueCode = 'INVALID_REQUEST',
): Result<z.output<Schema>> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? succeed(parsed.data)
    : invalid(parsed.error.issues.map(({ path, message }) => issue(path, message, code)));
}
