import { entriesOf, isNode, type JsonNode, recordOf, resolve, textsOf } from './nodes.ts';

export type { JsonNode } from './nodes.ts';

/** The direction of a schema's values: clients write a `request` and read a `response`. */
export type Side = 'request' | 'response';

/** The position of a comparison, and its findings. */
interface Comparison {
  readonly where: string;
  readonly side: Side;
  readonly documents: { readonly former: JsonNode; readonly present: JsonNode };
  readonly found: string[];
  /** The pairs of schemas that are under way: they may refer to themselves. */
  readonly seen: ReadonlySet<string>;
}

/**
 * Finds breaking changes between two versions of a schema. In a request: a field, a value or a type that is no longer
 * accepted, or a newly required field. In an answer: a field that is removed or may now be missing, a removed value,
 * or a new type.
 */
export function compareSchemas(former: unknown, present: unknown, comparison: Comparison): void {
  const names = [former, present].map((schema) => recordOf(schema).$ref ?? '');
  const pair = names.join(' ');
  if (comparison.seen.has(pair)) {
    return;
  }
  const seen = pair.trim() === '' ? comparison.seen : new Set([...comparison.seen, pair]);
  const before = resolve(comparison.documents.former, former);
  const now = resolve(comparison.documents.present, present);
  const inner = { ...comparison, seen };
  compareTypes(before, now, inner);
  compareValues(before, now, inner);
  compareProperties(before, now, inner);
  compareRequired(before, now, inner);
  compareBounds(before, now, inner);
  compareAlternatives(before, now, inner);
  if (before.items !== undefined && now.items !== undefined) {
    compareSchemas(before.items, now.items, { ...inner, where: `${inner.where}[]` });
  }
}

function typesOf({ type }: JsonNode): string[] {
  return typeof type === 'string' ? [type] : textsOf(type);
}

function compareTypes(before: JsonNode, now: JsonNode, { side, where, found }: Comparison): void {
  const [former, present] = [typesOf(before), typesOf(now)];
  if (former.length === 0 || present.length === 0) {
    return;
  }
  // An integer is a number.
  const includes = (types: string[], type: string) =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  if (side === 'request') {
    const gone = former.filter((type) => !includes(present, type));
    found.push(...gone.map((type) => `${where}: takes no ${type} any more`));
  } else {
    const added = present.filter((type) => !includes(former, type));
    found.push(...added.map((type) => `${where}: may be ${type} now`));
  }
}

function valuesOf({ enum: values, const: value }: JsonNode): unknown[] | undefined {
  if (Array.isArray(values)) {
    return values;
  }
  return value === undefined ? undefined : [value];
}

function compareValues(before: JsonNode, now: JsonNode, { side, where, found }: Comparison): void {
  const [former, present] = [valuesOf(before), valuesOf(now)];
  if (former && present) {
    const gone = former.filter((value) => !present.includes(value));
    found.push(...gone.map((value) => `${where}: ${JSON.stringify(value)} is gone`));
  } else if (present && side === 'request') {
    found.push(`${where}: takes only some values now`);
  }
}

function compareProperties(before: JsonNode, now: JsonNode, comparison: Comparison): void {
  const { side, where, found } = comparison;
  for (const [name, property] of entriesOf(before.properties)) {
    const other = recordOf(now.properties)[name];
    if (isNode(other)) {
      compareSchemas(property, other, { ...comparison, where: `${where}.${name}` });
    } else if (side === 'response' || now.additionalProperties === false) {
      found.push(`${where}.${name}: is gone`);
    }
  }
}

function compareRequired(before: JsonNode, now: JsonNode, { side, where, found }: Comparison): void {
  const [former, present] = [textsOf(before.required), textsOf(now.required)];
  if (side === 'request') {
    const added = present.filter((name) => !former.includes(name));
    found.push(...added.map((name) => `${where}.${name}: is required now`));
  } else {
    const lost = former.filter((name) => !present.includes(name) && isNode(recordOf(now.properties)[name]));
    found.push(...lost.map((name) => `${where}.${name}: may be missing now`));
  }
}

const LOWER_IS_STRICTER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];
const HIGHER_IS_STRICTER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const OTHER_IS_STRICTER = ['pattern', 'format'];

function compareBounds(before: JsonNode, now: JsonNode, { side, where, found }: Comparison): void {
  if (side === 'response') {
    return;
  }
  const isStricter = (name: string): boolean => {
    const [former, present] = [before[name], now[name]];
    if (OTHER_IS_STRICTER.includes(name)) {
      return present !== undefined && present !== former;
    }
    if (typeof present !== 'number') {
      return false;
    }
    const bound = typeof former === 'number' ? former : undefined;
    return bound === undefined || (LOWER_IS_STRICTER.includes(name) ? present < bound : present > bound);
  };
  const names = [...LOWER_IS_STRICTER, ...HIGHER_IS_STRICTER, ...OTHER_IS_STRICTER].filter(isStricter);
  found.push(...names.map((name) => `${where}: ${name} is stricter now, ${JSON.stringify(now[name])}`));
}

/** Alternatives are identified by their reference, or else by their position. */
function compareAlternatives(before: JsonNode, now: JsonNode, comparison: Comparison): void {
  for (const word of ['oneOf', 'anyOf', 'allOf']) {
    const present = alternativesOf(now[word]);
    for (const [name, alternative] of alternativesOf(before[word])) {
      const where = `${comparison.where} (${name})`;
      const other = present.get(name);
      if (other !== undefined) {
        compareSchemas(alternative, other, { ...comparison, where });
      } else if (comparison.side === 'request' && present.size > 0 && word !== 'allOf') {
        comparison.found.push(`${where}: is gone`);
      }
    }
  }
}

function alternativesOf(value: unknown): Map<string, unknown> {
  const alternatives = Array.isArray(value) ? value : [];
  return new Map(
    alternatives.map((one: unknown, index) => [
      String(recordOf(one).$ref ?? index).replace(/^.*\//, ''),
      one,
    ]),
  );
}
