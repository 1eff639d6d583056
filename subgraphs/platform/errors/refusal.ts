import { CATALOGUE, type ErrorCode } from './catalogue.ts';

/** An expected failure, as a value: which error, in words, and the input that it is about. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  /** Path into the caller's input, such as `['requestData', 'name', 'firstName']`; absent when none is to blame. */
  readonly path?: readonly string[];
}

/** What a service function answers: its value, or every reason why not. */
export type Result<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusals: readonly Refusal[] };

export function succeed<T>(value: T): Result<T> {
  return { ok: true, value };
}

/** Refuses with the catalogue's message, or with a more exact one. */
export function refuse(
  code: ErrorCode,
  message: string = CATALOGUE[code].message,
  path?: readonly string[],
): Result<never> {
  return { ok: false, refusals: [path === undefined ? { code, message } : { code, message, path }] };
}
