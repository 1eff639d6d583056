import { CATALOGUE, type ErrorCode } from './catalogue.ts';

/** An expected failure as a value: its code, its message, and the input that it is about. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  /** Path into the caller's input, such as `['requestData', 'name', 'firstName']`; absent when none is to blame. */
  readonly path?: readonly string[];
}

/** Most reasons in one answer (decisions, section 7, "Bounds"). */
export const MOST_NAMED = 20;

/** The first 20 reasons, and one more that says how many were left out. */
export function nameFirst(failures: readonly Failure[]): readonly Failure[] {
  const [first] = failures;
  const left = failures.length - MOST_NAMED;
  return first && left > 0
    ? [...failures.slice(0, MOST_NAMED), { code: first.code, message: `and ${left} more that are left out` }]
    : failures;
}

/** The answer of a service function: its value, or every reason why not. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failures: readonly Failure[] };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** A failure with the catalogue's message, or with a more exact one. */
export function fail(
  code: ErrorCode,
  message: string = CATALOGUE[code].message,
  path?: readonly string[],
): Result<never> {
  return { ok: false, failures: [path === undefined ? { code, message } : { code, message, path }] };
}

/** Maps the value of a success; a failure stays as it is. */
export async function andThen<T, Next>(
  result: Result<T>,
  next: (value: T) => Promise<Result<Next>>,
): Promise<Result<Next>> {
  return result.ok ? next(result.value) : result;
}
