import { isDeepStrictEqual } from 'node:util';
import { mongo } from 'mongoose';
import { isRecord } from '../../subgraphs/kernel/objects.ts';

/** Entities by id, for `$$matchesEntity`. */
export type Entities = ReadonlyMap<string, unknown>;

/**
 * Compares a value with an expectation of the unified test format: fields of the outermost document, or of the documents in the
 * outermost list, that it does not name may be there, all others may not.
 * @param isRoot whether further fields may be there; default: they may
 * @returns the first difference, with its path; undefined when it matches
 */
export function findMismatch(
  expected: unknown,
  actual: unknown,
  entities: Entities,
  path = '',
  isRoot = true,
): string | undefined {
  const operator = operatorOf(expected);
  if (operator !== undefined) {
    return matchOperator(operator, actual, entities, path, isRoot);
  }
  if (Array.isArray(expected)) {
    return matchArray(expected, actual, entities, path, isRoot);
  }
  if (isPlain(expected)) {
    return matchDocument(expected, actual, entities, path, isRoot);
  }
  return isSame(expected, actual)
    ? undefined
    : `${path || 'it'} is ${show(actual)} instead of ${show(expected)}`;
}

/** The special operator that an expectation consists of, such as `$$exists`. */
function operatorOf(expected: unknown): [name: string, value: unknown] | undefined {
  const entries = isPlain(expected) ? Object.entries(expected) : [];
  const [entry] = entries;
  return entries.length === 1 && entry?.[0].startsWith('$$') ? entry : undefined;
}

function matchOperator(
  [name, value]: [string, unknown],
  actual: unknown,
  entities: Entities,
  path: string,
  isRoot: boolean,
): string | undefined {
  switch (name) {
    case '$$exists':
      return (actual !== undefined) === value ? undefined : `${path} is ${value ? 'missing' : show(actual)}`;
    case '$$unsetOrMatches':
      return actual === undefined || actual === null
        ? undefined
        : findMismatch(value, actual, entities, path, isRoot);
    case '$$matchesEntity':
      return findMismatch(entities.get(String(value)), actual, entities, path, false);
    case '$$type':
      return [value].flat().includes(typeOf(actual))
        ? undefined
        : `${path} is a ${typeOf(actual)}, not a ${value}`;
    default:
      return `${path}: the operator ${name} is not known here`;
  }
}

function matchArray(
  expected: readonly unknown[],
  actual: unknown,
  entities: Entities,
  path: string,
  isRoot: boolean,
): string | undefined {
  if (!Array.isArray(actual) || actual.length !== expected.length) {
    return `${path || 'it'} is ${show(actual)} instead of ${show(expected)}`;
  }
  return firstOf(expected, (one, index) =>
    findMismatch(one, actual[index], entities, `${path}[${index}]`, isRoot),
  );
}

function matchDocument(
  expected: Readonly<Record<string, unknown>>,
  actual: unknown,
  entities: Entities,
  path: string,
  isRoot: boolean,
): string | undefined {
  if (!isPlain(actual)) {
    return `${path || 'it'} is ${show(actual)} instead of ${show(expected)}`;
  }
  const further = isRoot ? [] : Object.keys(actual).filter((field) => !(field in expected));
  if (further.length > 0) {
    return `${path || 'it'} has ${further.join(', ')} too`;
  }
  return firstOf(Object.keys(expected), (field) =>
    findMismatch(expected[field], actual[field], entities, path === '' ? field : `${path}.${field}`, false),
  );
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item, index: number) => string | undefined,
): string | undefined {
  for (const [index, item] of items.entries()) {
    const found = find(item, index);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

/** A document, and no value of BSON. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return isRecord(value) && !Array.isArray(value) && Object.getPrototypeOf(value) === Object.prototype;
}

/** Numbers count by their value, whatever their type. */
function isSame(expected: unknown, actual: unknown): boolean {
  const [one, other] = [toPlain(expected), toPlain(actual)];
  return isDeepStrictEqual(one, other);
}

function toPlain(value: unknown): unknown {
  if (
    value instanceof mongo.Long ||
    value instanceof mongo.BSON.Int32 ||
    value instanceof mongo.BSON.Double
  ) {
    return Number(value);
  }
  return typeof value === 'object' && value !== null ? mongo.BSON.EJSON.serialize({ value }) : value;
}

function typeOf(value: unknown): string {
  if (typeof value === 'string' || value === null) {
    return value === null ? 'null' : 'string';
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    return Number.isInteger(value) ? 'int' : 'double';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  if (value instanceof mongo.ObjectId) {
    return 'objectId';
  }
  return value instanceof Date ? 'date' : 'object';
}

const SHOWN = 160;

function show(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, SHOWN);
}
