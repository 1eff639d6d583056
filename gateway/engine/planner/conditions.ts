import { type Alternatives, type Condition, conditionText, type DerivedCondition } from '../conditions.ts';
import { remember } from './remember.ts';

/** Thrown for an operation that is too large to be planned; the message is for the client. */
export class TooLarge extends Error {}

/**
 * Most combinations of conditions under which one field may be selected. Each is compared with each other, and in
 * fragments under conditions they double with every level.
 */
const MAX_COMBINATIONS = 100;

/** Works out the conditions of one operation. */
export interface ConditionWriter {
  /**
   * The same, with each list in order and once, without lists that can never hold or hold only when another does. `[[]]`
   * always holds, `[]` never.
   *
   * @throws TooLarge when there are too many different lists
   */
  simplify(anyOf: Alternatives): Alternatives;
  /** One condition that holds when a simplified one does: on a variable of the client's, or on one of the plan's. */
  conditionFor(simple: Alternatives): Condition | null;
  /** The variables that conditions use besides the client's. */
  readonly derived: readonly DerivedCondition[];
}

const ALWAYS: Alternatives = [[]];

/** The conditions sorted, each of them once; `null` when two of them exclude each other. */
function simplifyAll(conditions: readonly Condition[]): readonly Condition[] | null {
  if (conditions.length === 1) {
    return conditions;
  }
  const byText = new Map(conditions.map((one) => [conditionText(one), one]));
  const isPossible = conditions.every((one) => !byText.has(conditionText({ ...one, equals: !one.equals })));
  return isPossible ? [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []) : null;
}

function simplify(anyOf: Alternatives): Alternatives {
  if (anyOf.some((conditions) => conditions.length === 0)) {
    return ALWAYS;
  }
  const possible = anyOf.flatMap((conditions) => {
    const simple = simplifyAll(conditions);
    return simple === null ? [] : [{ simple, texts: simple.map(conditionText) }];
  });
  const key = ({ texts }: { texts: readonly string[] }) => texts.join(' ');
  const distinct = [...new Map(possible.map((one) => [key(one), one])).values()];
  if (distinct.length > MAX_COMBINATIONS) {
    throw new TooLarge(`A field is selected under more than ${MAX_COMBINATIONS} combinations of conditions.`);
  }
  return distinct
    .filter(
      (one) =>
        !distinct.some((other) => other !== one && other.texts.every((text) => one.texts.includes(text))),
    )
    .sort((one, other) => (key(one) < key(other) ? -1 : 1))
    .map(({ simple }) => simple);
}

/** Simplified alternatives as text: '' for always. */
export function alternativesText(simple: Alternatives): string {
  return simple.map((conditions) => conditions.map(conditionText).join(' ')).join('|');
}

/**
 * Makes a writer for one operation.
 *
 * @param taken names of the operation's own variables
 */
export function createConditionWriter(taken: ReadonlySet<string>): ConditionWriter {
  const derived = new Map<string, DerivedCondition>();
  let prefix = '_if';
  while ([...taken].some((name) => name.startsWith(prefix))) {
    prefix = `_${prefix}`;
  }
  return {
    simplify,
    conditionFor(simple) {
      const [first] = simple;
      if (first === undefined || first.length === 0) {
        return null;
      }
      const [only] = first;
      if (simple.length === 1 && first.length === 1 && only !== undefined) {
        return only;
      }
      const key = alternativesText(simple);
      const { variable } = remember(derived, key, () => ({
        variable: `${prefix}${derived.size}`,
        anyOf: simple,
      }));
      return { variable, equals: true };
    },
    get derived() {
      return [...derived.values()];
    },
  };
}
