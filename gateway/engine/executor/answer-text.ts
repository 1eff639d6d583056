import type { ExecutionResult } from 'graphql';
import type { Slices } from './time-slices.ts';
import { WrittenResult } from './written-result.ts';

/** Bytes that are written without a break. */
const SLICE_BYTES = 256 * 1024;
/** Characters of a piece of text that is joined with others at the end. */
const PIECE = 64 * 1024;

/** Texts that were written to measure an answer. They are kept so that no answer is written twice. */
const texts = new WeakMap<object, string>();

/** The JSON of a result. */
export function resultText(result: ExecutionResult): string {
  return result instanceof WrittenResult ? result.toText() : (texts.get(result) ?? JSON.stringify(result));
}

interface Writing {
  readonly maxBytes: number;
  readonly pieces: string[];
  piece: string;
  bytes: number;
  /** Where the next break is due. */
  pauseAt: number;
}

/** Thrown when the text has more bytes than it may have. */
export const TOO_LARGE = Symbol('too large');

function add(writing: Writing, text: string): void {
  writing.piece += text;
  if (writing.piece.length > PIECE) {
    flush(writing);
  }
}

function flush(writing: Writing): void {
  writing.bytes += Buffer.byteLength(writing.piece);
  if (writing.bytes > writing.maxBytes) {
    throw TOO_LARGE;
  }
  writing.pieces.push(writing.piece);
  writing.piece = '';
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !('toJSON' in value);
}

/** The JSON of a value that JSON cannot express. */
function leafText(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

function isWritable(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol';
}

function* writeItem(writing: Writing, before: string, value: unknown): Slices<void> {
  if (!isContainer(value)) {
    add(writing, before + leafText(value));
    return;
  }
  add(writing, before);
  yield* writeContainer(writing, value);
}

function* writeContainer(writing: Writing, value: object): Slices<void> {
  if (writing.bytes + writing.piece.length > writing.pauseAt) {
    flush(writing);
    yield;
    writing.pauseAt = writing.bytes + SLICE_BYTES;
  }
  let separator = '';
  if (Array.isArray(value)) {
    add(writing, '[');
    for (const item of value) {
      yield* writeItem(writing, separator, item);
      separator = ',';
    }
    add(writing, ']');
    return;
  }
  add(writing, '{');
  for (const [name, item] of Object.entries(value).filter(([, own]) => isWritable(own))) {
    yield* writeItem(writing, `${separator}${JSON.stringify(name)}:`, item);
    separator = ',';
  }
  add(writing, '}');
}

/**
 * Writes the JSON of a result, in slices between which others run, for `resultText`.
 *
 * @throws `TOO_LARGE` as soon as it has more than `maxBytes`
 */
export function* writeAnswer(result: ExecutionResult, maxBytes: number): Slices<void> {
  const writing: Writing = { maxBytes, pieces: [], piece: '', bytes: 0, pauseAt: SLICE_BYTES };
  const { data, errors, extensions } = result;
  const plain: Readonly<Record<string, unknown>> = {
    errors: errors?.map((error) => error.toJSON()),
    data,
    extensions,
  };
  // The order of `JSON.stringify(result)`.
  const ordered = Object.fromEntries(Object.keys(result).map((key) => [key, plain[key]]));
  yield* writeContainer(writing, ordered);
  flush(writing);
  texts.set(result, writing.pieces.join(''));
}
