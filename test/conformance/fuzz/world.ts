import type { FeatureCounts } from './features.ts';
import { type FieldModel, findField, type Model, matches, type Selection } from './model.ts';
import { digest } from './random.ts';
import { settle } from './values.ts';

/** The values that differ from run to run, the same on both sides of a comparison. */
export interface RunState {
  /** Mutations made so far: what they answer depends on it. */
  ticks: number;
  /** Whether resolvers answer with promises. */
  isAsync: boolean;
  /** The fields that subgraphs have answered for. */
  readonly features: FeatureCounts;
}

export const createRunState = (): RunState => ({ ticks: 0, isAsync: false, features: new Map() });

/** An object as resolvers know it. Everything it has depends on `seed`, in whichever subgraph it is asked. */
export interface Thing {
  readonly __typename: string;
  readonly seed: string;
  /** The reference by which the gateway asked for it. */
  readonly reference?: Readonly<Record<string, unknown>>;
  /** The external fields that the field which led here provides. */
  readonly provided?: readonly Selection[];
}

const ENTITIES_OF_A_TYPE = 3;

/** Names at every level, for `JSON.stringify` to sort by. */
function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)])
    : [];
}

/** One text for equal values. */
function canonical(value: unknown): string {
  return JSON.stringify(value, [...new Set(namesIn(value))].sort()) ?? 'undefined';
}

function makeThing(model: Model, type: string, seed: string, provided: Thing['provided']): Thing {
  const isEntity = model.types[type]?.kind === 'entity';
  const own = type === 'Sun' ? 'Sun:0' : `${type}:${digest(seed) % ENTITIES_OF_A_TYPE}`;
  return {
    __typename: type,
    seed: isEntity ? own : type === 'Query' ? 'Query' : seed,
    ...(provided !== undefined && { provided }),
  };
}

/** The object that a reference means: each key says which one it is. */
export function seedOfReference(reference: Readonly<Record<string, unknown>>): string {
  const ref = reference.ref as { readonly code?: unknown } | undefined;
  const { id, code } = reference;
  if (typeof id === 'string') {
    return id;
  }
  if (typeof code === 'string') {
    return code.replace('code-', '');
  }
  if (typeof ref?.code === 'string') {
    return ref.code.replace('ref-', '');
  }
  if (reference.__typename === 'Sun') {
    return 'Sun:0';
  }
  throw new Error(`A reference without a key: ${JSON.stringify(reference)}`);
}

interface Asked {
  readonly thing: Thing;
  readonly field: FieldModel;
  readonly args: Readonly<Record<string, unknown>>;
  readonly isAsync: boolean;
  /** The difference of this call from others besides arguments. */
  readonly extra?: string;
  readonly provided?: readonly Selection[];
}

/** The value of a field of an object; the same for subgraphs and for the one schema. */
export function fieldValue(model: Model, asked: Asked): unknown {
  const { thing, field, args, provided, extra = '' } = asked;
  switch (field.identity) {
    case 'id':
      return thing.seed;
    case 'code':
      return `code-${thing.seed}`;
    case 'ref':
      return field.members.length > 0
        ? { __typename: field.members[0], seed: thing.seed }
        : `ref-${thing.seed}`;
  }
  const make = (seed: string): unknown =>
    field.members.length === 0
      ? undefined
      : makeThing(
          model,
          field.members[digest(`member ${seed}`) % field.members.length] ?? '',
          seed,
          provided,
        );
  const seed = `${thing.seed}.${field.name}(${canonical(args)})${extra}`;
  return settle({ type: field.type, seed, isSure: field.isSure, isAsync: asked.isAsync, make });
}

function withDefaults(field: FieldModel, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const { name, default: value } of field.args) {
    const known = Object.hasOwn(given, name) ? given[name] : value;
    if (known !== undefined) {
      args[name] = known;
    }
  }
  return args;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The selections of a field set on an object, found where the fields themselves find it. */
function evaluate(model: Model, thing: Thing, selections: readonly Selection[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const selection of selections) {
    if ('on' in selection) {
      if (matches(model, thing.__typename, selection.on)) {
        Object.assign(found, evaluate(model, thing, selection.selections));
      }
      continue;
    }
    const field = findField(model, thing.__typename, selection.name);
    const args = withDefaults(field, selection.args ?? {});
    const value = fieldValue(model, {
      thing,
      field,
      args,
      isAsync: false,
      extra: requiredText(model, thing, field, null),
    });
    found[selection.name] = evaluateBelow(model, value, selection.selections);
  }
  return found;
}

function evaluateBelow(model: Model, value: unknown, selections: readonly Selection[] | undefined): unknown {
  if (selections === undefined || !isObject(value)) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((item) => evaluateBelow(model, item, selections))
    : evaluate(model, value as unknown as Thing, selections);
}

/** The selections of a field set on a reference that the gateway has sent. */
function extract(
  model: Model,
  source: Readonly<Record<string, unknown>>,
  selections: readonly Selection[],
): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const selection of selections) {
    if ('on' in selection) {
      if (typeof source.__typename !== 'string' || matches(model, source.__typename, selection.on)) {
        Object.assign(found, extract(model, source, selection.selections));
      }
      continue;
    }
    const { name, selections: below } = selection;
    if (Object.hasOwn(source, name)) {
      found[name] = extractBelow(model, source[name], below);
    }
  }
  return found;
}

function extractBelow(model: Model, value: unknown, selections: readonly Selection[] | undefined): unknown {
  if (selections === undefined || !isObject(value)) {
    return value;
  }
  return Array.isArray(value)
    ? value.map((item) => extractBelow(model, item, selections))
    : extract(model, value, selections);
}

/**
 * The value that a `@requires` field makes of its required fields, as text. In its subgraph that is in the reference; in one schema it is
 * found where the fields themselves find it.
 */
export function requiredText(model: Model, thing: Thing, field: FieldModel, subgraph: string | null): string {
  const { requires } = field;
  if (requires === undefined) {
    return '';
  }
  if (requires.subgraph === subgraph && thing.reference === undefined) {
    throw new Error(`${thing.__typename}.${field.name} was asked without what it requires.`);
  }
  const found =
    requires.subgraph === subgraph
      ? extract(model, thing.reference ?? {}, requires.selections)
      : evaluate(model, thing, requires.selections);
  return ` of ${canonical(found)}`;
}
