import type { ExecutionResult } from 'graphql';
import { resultText } from '../../engine/index.ts';

/** Many subscribers share one result. */
const texts = new WeakMap<ExecutionResult, { readonly text: string; bytes?: number }>();

function textOf(result: ExecutionResult): { readonly text: string; bytes?: number } {
  const known = texts.get(result) ?? { text: resultText(result) };
  texts.set(result, known);
  return known;
}

/**
 * The JSON of a subscription's result, written once for all subscribers that share it. It is kept as long as the
 * result.
 */
export function sharedText(result: ExecutionResult): string {
  return textOf(result).text;
}

/** Its bytes in UTF-8, counted once. */
export function sharedTextBytes(result: ExecutionResult): number {
  const known = textOf(result);
  known.bytes ??= Buffer.byteLength(known.text);
  return known.bytes;
}
