import {
  type GraphQLCompositeType,
  type GraphQLOutputType,
  getNamedType,
  isCompositeType,
  isObjectType,
} from 'graphql';
import type { Random } from './random.ts';

interface Use {
  /** The types of the selection sets that lead here, from the root. */
  readonly lineage: readonly GraphQLCompositeType[];
  /** Field and arguments. */
  readonly meaning: string;
  readonly shape: string;
}

/** The response keys at one position of the answer, and what they stand for. */
export interface Keys {
  readonly uses: Map<string, Use[]>;
  /** The positions below. */
  readonly below: Map<string, Keys>;
}

export const createKeys = (): Keys => ({ uses: new Map(), below: new Map() });

export function keysBelow(keys: Keys, key: string): Keys {
  const below = keys.below.get(key) ?? createKeys();
  keys.below.set(key, below);
  return below;
}

/** Aliases that mean trouble: names of fields and keys, of machinery, of what every JavaScript object has. */
const ALIASES = [
  'a',
  'b',
  'id',
  'title',
  'name',
  'code',
  'size',
  'ref',
  '_e0',
  '_rk0',
  'constructor',
  '__proto__',
];

const shapeOf = (type: GraphQLOutputType): string => {
  const named = getNamedType(type);
  return isCompositeType(named) ? String(type).replace(named.name, '{}') : String(type);
};

/** Whether no object can be of both lineages, as the rule "field selection merging" sees it. */
function areExclusive(one: Use['lineage'], other: Use['lineage']): boolean {
  return one.some((type, index) => {
    const against = other[index];
    return type !== against && isObjectType(type) && isObjectType(against);
  });
}

function fits(keys: Keys, key: string, use: Use, allowsExclusive: boolean): boolean {
  return (keys.uses.get(key) ?? []).every(
    (other) =>
      other.shape === use.shape &&
      (other.meaning === use.meaning || (allowsExclusive && areExclusive(other.lineage, use.lineage))),
  );
}

interface KeyChoice {
  readonly random: Random;
  readonly keys: Keys;
  readonly lineage: readonly GraphQLCompositeType[];
  readonly name: string;
  readonly args: string;
  readonly type: GraphQLOutputType;
  /** Whether a key may mean one thing for one type and another for another. */
  readonly allowsExclusive: boolean;
}

/**
 * Chooses a response key: the field's own name, a name from the list above, or one that has another meaning for another
 * type already. Two uses of one key can always be merged.
 */
export function chooseKey(choice: KeyChoice): { readonly key: string; readonly isExclusive: boolean } {
  const { random, keys, lineage, name, args, type, allowsExclusive } = choice;
  const use: Use = { lineage, meaning: `${name}${args}`, shape: shapeOf(type) };
  const known = [...keys.uses.keys()].filter((one) => fits(keys, one, use, allowsExclusive));
  const wanted = known.length > 0 && random.chance(allowsExclusive ? 45 : 5) ? [random.pick(known)] : [];
  const alias = random.chance(20) ? [random.pick(ALIASES)] : [];
  const key =
    [...wanted, ...alias, name].find((one) => fits(keys, one, use, allowsExclusive)) ?? `x${keys.uses.size}`;
  const others = keys.uses.get(key) ?? [];
  keys.uses.set(key, [...others, use]);
  return { key, isExclusive: others.some(({ meaning }) => meaning !== use.meaning) };
}
