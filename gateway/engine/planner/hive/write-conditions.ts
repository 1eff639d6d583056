import type { DirectiveNode } from 'graphql';
import {
  type Alternatives,
  type Condition,
  conditionText,
  type DerivedCondition,
  toDirective,
} from '../../operation/conditions.ts';

/** Thrown for an operation that is too large to be planned; the message is for the client. */
export class TooLarge extends Error {}

/**
 * Most combinations of conditions under which one field may be selected. Each is compared with each other, and in
 * fragments under conditions they double with every level.
 */
const MAX_COMBINATIONS = 100;

/** Writes the conditions of one operation as directives. */
export interface ConditionWriter {
  /**
   * The directives of a selection that is there for any of these reasons; `null` when no reason can ever hold.
   *
   * @throws TooLarge when there are too many different reasons
   */
  directivesFor(anyOf: Alternatives): readonly DirectiveNode[] | null;
  /** The variables that the directives use besides the client's. */
  readonly derived: readonly DerivedCondition[];
}

/** The conditions sorted, each of them once; `null` when two of them exclude each other. */
function simplifyAll(conditions: readonly Condition[]): readonly Condition[] | null {
  const byText = new Map(conditions.map((one) => [conditionText(one), one]));
  const isPossible = conditions.every((one) => !byText.has(conditionText({ ...one, equals: !one.equals })));
  return isPossible ? [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []) : null;
}

/**
 * Removes lists that can never hold, and lists that hold only when a shorter one does.
 *
 * @throws TooLarge when there are too many different ones
 */
function simplify(anyOf: Alternatives): Alternatives {
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

/**
 * Makes a writer for one operation. One condition is written as the client would write it. Several become one variable
 * whose value the engine works out: Hive Router 0.0.38 drops some directives of nested fragments and rejects others. A
 * field is then written once, however many selections name it.
 *
 * @param taken names of the operation's own variables
 */
export function createConditionWriter(taken: ReadonlySet<string>): ConditionWriter {
  const derived = new Map<string, DerivedCondition>();
  let prefix = '_if';
  while ([...taken].some((name) => name.startsWith(prefix))) {
    prefix = `_${prefix}`;
  }
  function derive(anyOf: Alternatives): Condition {
    const key = anyOf.map((conditions) => conditions.map(conditionText).join(' ')).join('|');
    const known = derived.get(key) ?? { variable: `${prefix}${derived.size}`, anyOf };
    derived.set(key, known);
    return { variable: known.variable, equals: true };
  }
  return {
    directivesFor(anyOf) {
      if (anyOf.some((conditions) => conditions.length === 0)) {
        return [];
      }
      const simple = simplify(anyOf);
      const [first] = simple;
      if (first === undefined) {
        return null;
      }
      const [only] = first;
      const isPlain = simple.length === 1 && first.length === 1 && only !== undefined;
      return [toDirective(isPlain ? only : derive(simple))];
    },
    get derived() {
      return [...derived.values()];
    },
  };
}
