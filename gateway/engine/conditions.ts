import { type DirectiveNode, type FieldNode, Kind, type SelectionNode } from 'graphql';

/** One `@skip` or `@include` that depends on a variable: the selection counts when `variable` is `equals`. */
export interface Condition {
  readonly variable: string;
  readonly equals: boolean;
}

/** Values of the variables that `@skip` and `@include` use; every one is present and Boolean. */
export type ConditionValues = Readonly<Record<string, unknown>>;

const UNCONDITIONAL: readonly Condition[] = [];

/**
 * Reads `@skip` and `@include` of a selection.
 *
 * @returns the conditions that must all hold (empty: always selected), or `false` when a literal excludes the
 *   selection in every request.
 */
export function readConditions(
  directives: readonly DirectiveNode[] | undefined,
): readonly Condition[] | false {
  if (directives === undefined || directives.length === 0) {
    return UNCONDITIONAL;
  }
  const conditions: Condition[] = [];
  for (const directive of directives) {
    const name = directive.name.value;
    if (name !== 'skip' && name !== 'include') {
      continue;
    }
    const value = directive.arguments?.find((argument) => argument.name.value === 'if')?.value;
    if (value?.kind === Kind.BOOLEAN && value.value !== (name === 'include')) {
      return false;
    }
    if (value?.kind === Kind.VARIABLE) {
      conditions.push({ variable: value.name.value, equals: name === 'include' });
    }
  }
  return conditions;
}

/** Whether every condition holds for these variable values. */
export function conditionsHold(conditions: readonly Condition[], values: ConditionValues): boolean {
  for (const condition of conditions) {
    if ((values[condition.variable] === true) !== condition.equals) {
      return false;
    }
  }
  return true;
}

/** A condition as text, such as `x` or `!x`. */
export function conditionText({ variable, equals }: Condition): string {
  return `${equals ? '' : '!'}${variable}`;
}

/** Writes a condition as `@include(if:)` or `@skip(if:)`. */
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

/** Puts conditions on a field. A field takes one of each directive; the others go on fragments around it. */
export function withConditions(field: FieldNode, conditions: readonly Condition[]): SelectionNode {
  const distinct = [...new Map(conditions.map((one) => [conditionText(one), one])).values()];
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

/** Lists of conditions: it holds when all conditions of one list hold. */
export type Alternatives = readonly (readonly Condition[])[];

/** A Boolean variable of a plan that the client does not send. It is true when one of the lists of conditions holds. */
export interface DerivedCondition {
  readonly variable: string;
  readonly anyOf: Alternatives;
}

/** The values of derived conditions for one request. */
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
