import { type DirectiveNode, type FieldNode, Kind, type SelectionNode } from 'graphql';
import { type Condition, type ConditionValues, conditionsHold } from './conditions.ts';

/** Conditions of which one list must hold. */
type Alternatives = readonly (readonly Condition[])[];

/** A Boolean variable of plans whose value the gateway works out: whether one list of conditions holds. */
export interface DerivedCondition {
  readonly variable: string;
  readonly anyOf: Alternatives;
}

/** Writes conditions as directives of an operation. */
export interface ConditionWriter {
  /** What a selection is written with that has several reasons to be there; `null` when none can ever hold. */
  directivesFor(anyOf: Alternatives): readonly DirectiveNode[] | null;
  /** Variables that the directives use besides those of the client. */
  readonly derived: readonly DerivedCondition[];
}

function toDirective({ variable, equals }: Condition): DirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: equals ? 'include' : 'skip' },
    arguments: [
      {
        kind: Kind.ARGUMENT,
        name: { kind: Kind.NAME, value: 'if' },
        value: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
      },
    ],
  };
}

/** Puts conditions on a field; of each directive one fits on it, the others go on fragments around it. */
export function withConditions(field: FieldNode, conditions: readonly Condition[]): SelectionNode {
  const distinct = [...new Map(conditions.map((one) => [textOf(one), one])).values()];
  const onField = [true, false].flatMap((equals) => distinct.find((one) => one.equals === equals) ?? []);
  const around = distinct.filter((one) => !onField.includes(one));
  return around.reduce<SelectionNode>(
    (selection, condition) => ({
      kind: Kind.INLINE_FRAGMENT,
      directives: [toDirective(condition)],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] },
    }),
    { ...field, directives: onField.map(toDirective) },
  );
}

function textOf({ variable, equals }: Condition): string {
  return `${equals ? '' : '!'}${variable}`;
}

/** Sorted, each condition once; `null` when two of them exclude each other. */
function simplifyAll(conditions: readonly Condition[]): readonly Condition[] | null {
  const byText = new Map(conditions.map((one) => [textOf(one), one]));
  const isPossible = conditions.every((one) => !byText.has(textOf({ ...one, equals: !one.equals })));
  return isPossible ? [...byText.keys()].sort().flatMap((text) => byText.get(text) ?? []) : null;
}

/** Without the lists that cannot hold, or that hold only when a shorter one does. */
function simplify(anyOf: Alternatives): Alternatives {
  const possible = anyOf.flatMap((conditions) => {
    const simple = simplifyAll(conditions);
    return simple === null ? [] : [{ simple, texts: simple.map(textOf) }];
  });
  const key = ({ texts }: { texts: readonly string[] }) => texts.join(' ');
  const distinct = [...new Map(possible.map((one) => [key(one), one])).values()];
  return distinct
    .filter(
      (one) =>
        !distinct.some((other) => other !== one && other.texts.every((text) => one.texts.includes(text))),
    )
    .sort((one, other) => (key(one) < key(other) ? -1 : 1))
    .map(({ simple }) => simple);
}

/**
 * Makes a writer for one operation. One condition is written as the client would; several become a variable of which
 * the gateway works out the value, because planners lose track of directives on nested fragments (Hive Router 0.0.38
 * drops some and refuses others), and because a field is then written once, however many selections ask for it.
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
    const key = anyOf.map((conditions) => conditions.map(textOf).join(' ')).join('|');
    const known = derived.get(key) ?? { variable: `${prefix}${derived.size}`, anyOf };
    derived.set(key, known);
    return { variable: known.variable, equals: true };
  }
  return {
    directivesFor(anyOf) {
      const simple = simplify(anyOf);
      const [first] = simple;
      if (first === undefined) {
        return null;
      }
      if (simple.some((conditions) => conditions.length === 0)) {
        return [];
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

/** The values that derived conditions have for a request. */
export function deriveConditions(
  derived: readonly DerivedCondition[],
  values: ConditionValues,
): Record<string, boolean> {
  return Object.fromEntries(
    derived.map(({ variable, anyOf }) => [
      variable,
      anyOf.some((conditions) => conditionsHold(conditions, values)),
    ]),
  );
}
