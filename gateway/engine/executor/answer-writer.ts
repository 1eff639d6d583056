import { GraphQLError } from 'graphql';
import { type AnswerField, JSON_SHAPE, type ObjectShape, type Shape, startOf } from './answer-shape.ts';
import { DOWNSTREAM_SERVICE_ERROR } from './errors.ts';
import { leafText } from './leaf-text.ts';
import { createIsReportedNull, type IsReportedNull } from './reported-nulls.ts';
import { type DataObject, type ExecutionState, isDataObject, MOST_ERRORS, type Path } from './state.ts';
import type { Slices } from './time-slices.ts';

/** Characters that are written without a break: a few milliseconds of work. Longer answers wait for each other. */
const PIECE = 256 * 1024;

/** The data of an answer. */
export interface WrittenData {
  /** Its JSON. */
  readonly text: string;
  /** Errors that writing it has found. At most `MOST_ERRORS`. */
  readonly errors: readonly GraphQLError[];
  /** The number of errors beyond those. */
  readonly omitted: number;
}

/** A finished piece of the text, with those before it. */
interface Piece {
  readonly before: Piece | null;
  readonly text: string;
  /** Bytes of the text so far. */
  readonly bytes: number;
}

/** An object or a list whose text is not complete. */
interface OpenValue {
  /** The object or list around it. */
  readonly above: Frame | null;
  readonly isNonNull: boolean;
  /** The text before it. Null replaces the object or list if a value in it must not be null and is. */
  readonly pieces: Piece | null;
  readonly text: string;
  /** The next field or item. */
  next: number;
}

interface ObjectFrame extends OpenValue {
  readonly fields: readonly AnswerField[];
  readonly source: DataObject;
}

interface ListFrame extends OpenValue {
  readonly fields: null;
  readonly items: readonly unknown[];
  readonly item: Shape;
}

type Frame = ObjectFrame | ListFrame;

/**
 * An answer while it is written. Its text only grows at the end, and strings do not change, so to undo an object or a list is
 * to return to the text before it.
 */
interface Writing {
  readonly state: ExecutionState;
  pieces: Piece | null;
  /** The text after the pieces. */
  text: string;
  /** The innermost object or list; `null` when all is written. */
  frame: Frame | null;
  isReportedNull: IsReportedNull | null;
  readonly errors: GraphQLError[];
  omitted: number;
}

/** The path of the value that is being written. */
function pathOf({ frame: innermost }: Writing): Path {
  const path: (string | number)[] = [];
  for (let frame = innermost; frame !== null; frame = frame.above) {
    const index = frame.next - 1;
    path.push(frame.fields?.[index]?.key ?? index);
  }
  return path.reverse();
}

function report(writing: Writing, message: string): void {
  writing.isReportedNull ??= createIsReportedNull(writing.state);
  const path = pathOf(writing);
  if (writing.isReportedNull(path)) {
    return;
  }
  if (writing.errors.length < MOST_ERRORS) {
    writing.errors.push(new GraphQLError(message, { path, extensions: { code: DOWNSTREAM_SERVICE_ERROR } }));
  } else {
    writing.omitted += 1;
  }
}

/**
 * Writes null. Where null is forbidden, it replaces the nearest object or list around it that may be null.
 *
 * @param problem the error of a wrong value; none for a missing value, which is an error only where null is forbidden
 * @returns whether the value's own object or list goes on
 */
function writeNull(writing: Writing, { isNonNull, field }: Shape, problem?: string): boolean {
  if (problem !== undefined || isNonNull) {
    report(writing, problem ?? `Cannot return null for non-nullable field ${field}.`);
  }
  if (!isNonNull) {
    writing.text += 'null';
    return true;
  }
  let { frame } = writing;
  while (frame !== null) {
    writing.frame = frame.above;
    writing.pieces = frame.pieces;
    writing.text = `${frame.text}null`;
    frame = frame.isNonNull ? frame.above : null;
  }
  return false;
}

function enterObject(
  writing: Writing,
  { isNonNull }: Shape,
  source: DataObject,
  fields: readonly AnswerField[],
): false {
  const { frame: above, pieces, text } = writing;
  writing.frame = { above, isNonNull, pieces, text, next: 0, fields, source };
  return false;
}

function enterList(writing: Writing, { isNonNull }: Shape, items: readonly unknown[], item: Shape): false {
  const { frame: above, pieces, text } = writing;
  writing.frame = { above, isNonNull, pieces, text, next: 0, fields: null, items, item };
  return false;
}

function jsonFields(value: DataObject): AnswerField[] {
  return Object.keys(value).map((key, index) => ({
    key,
    source: key,
    start: startOf(key, index),
    shape: JSON_SHAPE,
  }));
}

/** The text of a leaf without an error; undefined for any other value. */
function simpleText(shape: Shape, value: unknown): string | undefined {
  if (shape.kind !== 'leaf') {
    return undefined;
  }
  const text = value === null || value === undefined ? 'null' : leafText(shape.leaf, value);
  return text === 'null' && shape.isNonNull ? undefined : text;
}

/**
 * Begins an object or a list, or writes null for a value with an error. Returns whether the object or list around it goes on.
 */
function writeOther(writing: Writing, shape: Shape, value: unknown): boolean {
  if (value === null || value === undefined) {
    return writeNull(writing, shape);
  }
  switch (shape.kind) {
    case 'leaf':
      return leafText(shape.leaf, value) === undefined
        ? writeNull(writing, shape, `${shape.typeName} cannot represent the value that ${shape.field} has.`)
        : writeNull(writing, shape);
    case 'list':
      return Array.isArray(value)
        ? enterList(writing, shape, value, shape.item)
        : writeNull(writing, shape, `Expected a list for ${shape.field}.`);
    case 'object': {
      if (!isDataObject(value)) {
        return writeNull(writing, shape, `Expected an object for ${shape.field}.`);
      }
      const fields = shape.fieldsOf(value);
      return fields === null
        ? writeNull(writing, shape, `The type that ${shape.field} has is not part of this schema.`)
        : enterObject(writing, shape, value, fields);
    }
    case 'json':
      if (Array.isArray(value)) {
        return enterList(writing, shape, value, JSON_SHAPE);
      }
      if (isDataObject(value)) {
        return enterObject(writing, shape, value, jsonFields(value));
      }
      writing.text += JSON.stringify(value);
      return true;
  }
}

/** Writes the fields of an object up to the next object or list. */
function writeFields(writing: Writing, frame: ObjectFrame): void {
  const { fields, source } = frame;
  let { text } = writing;
  for (let field = fields[frame.next]; field !== undefined; field = fields[frame.next]) {
    frame.next += 1;
    text += field.start;
    const { shape } = field;
    if (shape === null) {
      continue;
    }
    const value = source[field.source];
    const simple = simpleText(shape, value);
    if (simple === undefined) {
      writing.text = text;
      if (!writeOther(writing, shape, value)) {
        return;
      }
      text = writing.text;
    } else {
      text += simple;
    }
  }
  writing.text = text + (fields.length === 0 ? '{}' : '}');
  writing.frame = frame.above;
}

/** Writes the items of a list up to the next object or list, or to the next break. */
function writeItems(writing: Writing, frame: ListFrame): void {
  const { items, item } = frame;
  while (frame.next < items.length) {
    if (writing.text.length > PIECE) {
      return;
    }
    writing.text += frame.next === 0 ? '[' : ',';
    const value = items[frame.next];
    frame.next += 1;
    const simple = simpleText(item, value);
    if (simple !== undefined) {
      writing.text += simple;
    } else if (!writeOther(writing, item, value)) {
      return;
    }
  }
  writing.text += items.length === 0 ? '[]' : ']';
  writing.frame = frame.above;
}

/** Writes until all is written, or a break is due. */
function writePiece(writing: Writing): void {
  for (let { frame } = writing; frame !== null && writing.text.length <= PIECE; { frame } = writing) {
    if (frame.fields === null) {
      writeItems(writing, frame);
    } else {
      writeFields(writing, frame);
    }
  }
}

function joined({ pieces, text }: Writing): string {
  if (pieces === null) {
    return text;
  }
  const texts = [text];
  for (let piece: Piece | null = pieces; piece !== null; piece = piece.before) {
    texts.push(piece.text);
  }
  return texts.reverse().join('');
}

/**
 * Writes the data of a run as the client selected it, with the rules of the GraphQL specification for completing values
 * (section 6.4.3) and handling errors (6.4.4), in slices between which other work runs.
 *
 * @returns `null` as soon as a piece of the text passes `maxBytes`
 */
export function* writeData(
  shape: ObjectShape,
  state: ExecutionState,
  maxBytes: number,
): Slices<WrittenData | null> {
  const writing: Writing = {
    state,
    pieces: null,
    text: '',
    frame: null,
    isReportedNull: null,
    errors: [],
    omitted: 0,
  };
  writeOther(writing, shape, state.data);
  for (;;) {
    writePiece(writing);
    if (writing.frame === null) {
      return { text: joined(writing), errors: writing.errors, omitted: writing.omitted };
    }
    const { pieces, text } = writing;
    // Counting also makes one string of the many that the text was put together from.
    const bytes = (pieces?.bytes ?? 0) + Buffer.byteLength(text);
    if (bytes > maxBytes) {
      return null;
    }
    writing.pieces = { before: pieces, text, bytes };
    writing.text = '';
    yield;
  }
}
