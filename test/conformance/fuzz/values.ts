import { GraphQLError } from 'graphql';
import { namedType } from './model.ts';
import { digest } from './random.ts';

/** Every error that a resolver throws. */
function issue(): GraphQLError {
  return new GraphQLError('on purpose', { extensions: { code: 'ON_PURPOSE' } });
}

type Outcome = 'value' | 'null' | 'error';

const OUTCOMES: readonly Outcome[] = ['error', 'error', 'null', 'null'];
/** One in how many is each of the outcomes above. */
const RARITY = 28;
const MOST_ITEMS = 4;

function scalar(name: string, seed: string): unknown {
  const number = digest(seed) % 100;
  switch (name) {
    case 'Int':
      return number;
    case 'Boolean':
      return number % 2 === 0;
    case 'Unit':
      return ['CM', 'INCH', 'MILE'][number % 3];
    case 'JSON':
      return [{ id: number, list: [1, { a: null }] }, [number, [seed.length]], number, 'text'][number % 4];
    default:
      return `${name.toLowerCase()}-${number}`;
  }
}

interface Recipe {
  /** As in SDL. */
  readonly type: string;
  readonly seed: string;
  /** Nothing goes wrong with it. */
  readonly isSure: boolean;
  /** Everything comes as a promise. */
  readonly isAsync: boolean;
  /** Makes an object. */
  make(seed: string): unknown;
}

/**
 * The answer of a resolver, at once or as a promise. One graph does all of it the same way: graphql-js forgets the promise
 * of a list item once another item has failed at once, and when that promise is rejected the process ends.
 */
export function settle(recipe: Recipe): unknown {
  const { type, seed, isSure, isAsync } = recipe;
  const wanted = OUTCOMES[digest(`outcome ${seed}`) % RARITY] ?? 'value';
  const isNever = isSure && (wanted === 'error' || type.endsWith('!'));
  const outcome = isNever ? 'value' : wanted;
  if (outcome === 'error') {
    return isAsync ? Promise.reject(issue()) : issue();
  }
  const value = outcome === 'null' ? null : generate(recipe);
  return isAsync ? Promise.resolve(value) : value;
}

/** The value that a field has when nothing goes wrong with the field itself. */
function generate(recipe: Recipe): unknown {
  const { type, seed } = recipe;
  if (type.endsWith('!')) {
    return generate({ ...recipe, type: type.slice(0, -1) });
  }
  if (type.startsWith('[')) {
    return Array.from({ length: digest(seed) % MOST_ITEMS }, (_, index) =>
      settle({ ...recipe, type: type.slice(1, -1), seed: `${seed}[${index}]` }),
    );
  }
  return recipe.make(seed) ?? scalar(namedType(type), seed);
}
