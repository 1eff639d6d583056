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
export type Outcome = 'value' | 'null' | 'error';

const OUTCOMES: readonly Outcome[] = ['error', 'error', 'null', 'null'];
/** One in how many is each of the outcomes above. */
const RARITY = 28;

/** Every error that a resolver throws. */
export function issue(): GraphQLError {
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
  /** Nothing goes wrong with it. */
  readonly isSure: boolean;
  /** Everything comes as a promise. */
  readonly isAsync: boolean;
}

/**
 * What a resolver answers, at once or as a promise. One graph does all of it the same way: graphql-js forgets the promise
 * of a list item once another item has failed at once, and when that promise is rejected the process ends.
 */
export function settle(recipe: Recipe): unknown {
  const outcome = recipe.isSure ? 'value' : (OUTCOMES[digest(`outcome ${recipe.seed}`) % RARITY] ?? 'value');
  if (outcome === 'error') {
    return recipe.isAsync ? Promise.reject(issue()) : issue();
  }
  const value = outcome === 'null' ? null : generate(recipe);
  return recipe.isAsync ? Promise.resolve(value) : value;
}

/** The value that a field has when nothing goes wrong with the field itself. */
export function generate(recipe: Recipe): unknown {
  const { type, seed } = recipe;
  if (isNonNullType(type)) {
    return generate({ ...recipe, type: type.ofType });
  }
  if (isListType(type)) {
    return Array.from({ length: digest(seed) % 4 }, (_, index) =>
      settle({ ...recipe, type: type.ofType, seed: `${seed}[${index}]` }),
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
