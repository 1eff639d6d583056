import {
  GraphQLError,
  type GraphQLOutputType,
  getNamedType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';

/** A number that looks random and depends on the text alone (FNV-1a, 32 bits). */
export function digest(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  // The low bits of FNV-1a are poor; the high ones are mixed in.
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** What becomes of a field or a list item. */
export type Outcome = 'value' | 'later' | 'null' | 'throw' | 'reject';

const OUTCOMES: readonly Outcome[] = ['throw', 'reject', 'null', 'null', 'later'];
const AT_ONCE: Partial<Record<Outcome, Outcome>> = { reject: 'throw', later: 'value' };
/** One in how many is each of the outcomes above. */
const RARITY = 28;

/** The error of every fault. */
export function fault(): GraphQLError {
  return new GraphQLError('on purpose', { extensions: { code: 'ON_PURPOSE' } });
}

type Make = (seed: string) => Record<string, unknown>;

/** An artist by its id, complete: every key is in it. */
export function artist(id: string): Record<string, unknown> {
  return { __typename: 'Artist', id, code: `code-${id}`, country: { iso: `i${digest(id) % 2}` } };
}

/** The id of the artist with this code. */
export const artistWithCode = (code: string): string => code.replace('code-', '');

const entity =
  (__typename: string, prefix: string, count: number): Make =>
  (seed) => ({ __typename, id: `${prefix}${digest(seed) % count}` });
const part =
  (__typename: string): Make =>
  (seed) => ({ __typename, seed });

const Painting = entity('Painting', 'p', 4);
const Sculpture = entity('Sculpture', 's', 3);
const Room = entity('Room', 'r', 3);
const Artist: Make = (seed) => artist(`a${digest(seed) % 4}`);

/** What there is of a type; `Type.field` where a subgraph does not know all that the type may be. */
const POPULATION: Readonly<Record<string, readonly Make[]>> = {
  Painting: [Painting],
  Sculpture: [Sculpture],
  Room: [Room],
  Artist: [Artist],
  Review: [entity('Review', 'v', 5)],
  Work: [Painting, Sculpture],
  Node: [Painting, Artist, Sculpture],
  Thing: [Painting, Artist, Room],
  Party: [Artist, Room],
  Person: [Artist, part('Guide')],
  'Loan.subject': [Painting, part('Crate')],
};

function chosen<T>(list: readonly T[], seed: string): T {
  return list[digest(seed) % list.length] as T;
}

function scalar(name: string, seed: string): unknown {
  const number = digest(seed) % 100;
  switch (name) {
    case 'Int':
      return number;
    case 'JSON':
      return chosen([{ id: number, list: [1, { a: null }] }, [number, [seed.length]], number, 'text'], seed);
    default:
      return `${name.toLowerCase()}-${number}`;
  }
}

/** What the values of one field are made of. */
export interface Recipe {
  readonly type: GraphQLOutputType;
  readonly seed: string;
  /** `Type.field` */
  readonly field: string;
  /** Nothing goes wrong with the items of a list. */
  readonly isSure: boolean;
}

/**
 * What becomes of a field or list item; most often it has a value. Where it may not be null nothing comes later:
 * graphql-js leaves a promise of such an item alone once another item has failed, and if that is rejected the process
 * ends.
 */
export function outcomeOf({ seed, type }: Recipe): Outcome {
  const outcome = OUTCOMES[digest(`outcome ${seed}`) % RARITY] ?? 'value';
  return isNonNullType(type) ? (AT_ONCE[outcome] ?? outcome) : outcome;
}

function item(recipe: Recipe): unknown {
  switch (recipe.isSure ? 'value' : outcomeOf(recipe)) {
    case 'throw':
      return fault();
    case 'reject':
      return Promise.reject(fault());
    case 'null':
      return null;
    case 'later':
      return Promise.resolve(generate(recipe));
    case 'value':
      return generate(recipe);
  }
}

/** The value that a field has when nothing goes wrong with the field itself. */
export function generate(recipe: Recipe): unknown {
  const { type, seed } = recipe;
  if (isNonNullType(type)) {
    return generate({ ...recipe, type: type.ofType });
  }
  if (isListType(type)) {
    return Array.from({ length: digest(seed) % 4 }, (_, index) =>
      item({ ...recipe, type: type.ofType, seed: `${seed}[${index}]` }),
    );
  }
  if (isEnumType(type)) {
    return chosen(type.getValues(), seed).name;
  }
  if (isLeafType(type)) {
    return scalar(type.name, seed);
  }
  const name = getNamedType(type).name;
  const makers = POPULATION[recipe.field] ?? POPULATION[name] ?? [part(name)];
  return chosen(makers, `maker ${seed}`)(seed);
}
