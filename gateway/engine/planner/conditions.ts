import { type DirectiveNode, Kind } from 'graphql';

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
