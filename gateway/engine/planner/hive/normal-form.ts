import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import {
  collectFields,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../../operation/collect-fields.ts';
import type { DerivedCondition } from '../../operation/conditions.ts';
import { failRequest, type RequestFailure } from '../../request-error.ts';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { OperationToPlan } from '../planner.ts';
import { type ConditionWriter, createConditionWriter, TooLarge } from './write-conditions.ts';

/** An operation in the form in which Hive's planner gets it. */
export interface NormalForm {
  /** One operation for each part; `null` for a part that no request selects. */
  readonly operations: readonly (OperationDefinitionNode | null)[];
  /** Variables whose values the engine computes for each request. */
  readonly derived: readonly DerivedCondition[];
  /** How many fields the operations select. */
  readonly fields: number;
}

type GroupNode = FieldGroup['nodes'][number];

/** What the normal form depends on besides the operation. */
export type PlanningHints = Pick<Supergraph, 'partlyHiddenTypes' | 'interfaceObjectKeys'>;

interface Normalising {
  readonly context: OperationContext;
  readonly hints: PlanningHints;
  readonly conditions: ConditionWriter;
  /** How many more fields may be written. */
  remaining: number;
  /** Numbers of selections: selections with the same text have the same number. */
  readonly numbers: Map<string, number>;
  readonly numberOf: WeakMap<SelectionNode, number>;
}

/** Most fields of an operation: fragments can make a short document expand without bound. */
const MAX_FIELDS = 5_000;

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

function selectionSetOf(selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections };
}

function writeField(state: Normalising, group: FieldGroup, entries: readonly SelectionEntry[]): FieldNode {
  state.remaining -= 1;
  if (state.remaining < 0) {
    throw new TooLarge(`The operation selects more than ${MAX_FIELDS} fields.`);
  }
  const name = group.nodes[0]?.node.name ?? TYPENAME.name;
  if (name.value === '__typename') {
    return TYPENAME;
  }
  const type = group.definition === null ? undefined : getNamedType(group.definition.type);
  const args = group.nodes[0]?.node.arguments ?? [];
  return {
    kind: Kind.FIELD,
    name,
    ...(group.source === name.value ? {} : { alias: { kind: Kind.NAME, value: group.source } }),
    ...(args.length === 0 ? {} : { arguments: args }),
    ...(isCompositeType(type) ? { selectionSet: selectionSetOf(writeSelections(state, type, entries)) } : {}),
  };
}

/** What is selected below a field, without the conditions that have already decided about the field itself. */
function entriesBelow(group: FieldGroup): SelectionEntry[] {
  const texts = new Set(group.nodes.map(({ conditions }) => JSON.stringify(conditions)));
  const entries = subEntries(group);
  return texts.size === 1 ? entries.map((entry) => ({ ...entry, conditions: [] })) : entries;
}

function writeGroup(state: Normalising, group: FieldGroup): SelectionNode[] {
  const directives = state.conditions.directivesFor(group.nodes.map(({ conditions }) => conditions));
  if (directives === null) {
    return [];
  }
  const field = writeField(state, group, entriesBelow(group));
  // The projection may need the name in any case, and the planner does not add it to one under a condition.
  return [directives.length === 0 || field === TYPENAME ? field : { ...field, directives }];
}

function nodeId(ids: Map<FieldNode, number>, { node, conditions }: GroupNode): string {
  const id = ids.get(node) ?? ids.size;
  ids.set(node, id);
  return `${id} ${JSON.stringify(conditions)}`;
}

interface TypeSelections {
  readonly concrete: GraphQLObjectType;
  readonly selections: readonly SelectionNode[];
}

function canHoist(
  type: GraphQLAbstractType,
  selection: SelectionNode,
  perType: readonly TypeSelections[],
): boolean {
  if (!isInterfaceType(type) || selection.kind !== Kind.FIELD || perType.length === 0) {
    return false;
  }
  const field = type.getFields()[selection.name.value];
  // A type may narrow the field; what is selected of the narrower type need not exist on the wider one.
  return perType.every(({ concrete }) => {
    const own = concrete.getFields()[selection.name.value];
    return field !== undefined && own !== undefined && getNamedType(own.type) === getNamedType(field.type);
  });
}

function headOf(selection: SelectionNode): string[] {
  return selection.kind === Kind.FIELD
    ? [selection.alias?.value ?? '', selection.name.value, ...(selection.arguments ?? []).map(print)]
    : ['...', selection.kind === Kind.INLINE_FRAGMENT ? (selection.typeCondition?.name.value ?? '') : ''];
}

/** Returns the same number for two selections with the same text; cheaper than comparing their texts. */
function numberOf(state: Normalising, selection: SelectionNode): number {
  const known = state.numberOf.get(selection);
  if (known !== undefined) {
    return known;
  }
  const children = selection.kind === Kind.FRAGMENT_SPREAD ? [] : (selection.selectionSet?.selections ?? []);
  const text = [
    ...headOf(selection),
    ...(selection.directives ?? []).map(print),
    ...children.map((child) => numberOf(state, child)),
  ].join('\n');
  const number = state.numbers.get(text) ?? state.numbers.size;
  state.numbers.set(text, number);
  state.numberOf.set(selection, number);
  return number;
}

/** Finds the selections that every type has in the same words; the interface gets them instead. */
function hoist(
  state: Normalising,
  type: GraphQLAbstractType,
  perType: readonly TypeSelections[],
): SelectionNode[] {
  const numbers = perType.map(({ selections }) => new Set(selections.map((one) => numberOf(state, one))));
  return (perType[0]?.selections ?? []).filter(
    (selection) =>
      canHoist(type, selection, perType) && numbers.every((known) => known.has(numberOf(state, selection))),
  );
}

function isUnconditional(selection: SelectionNode): boolean {
  return (
    selection.kind === Kind.INLINE_FRAGMENT &&
    selection.selectionSet.selections.some(({ directives }) => (directives ?? []).length === 0)
  );
}

/** Selections of the abstract type itself, then, for each type that it may be, what is selected of that type besides. */
function writeAbstract(
  state: Normalising,
  type: GraphQLAbstractType,
  entries: readonly SelectionEntry[],
): SelectionNode[] {
  const { context } = state;
  const common = collectFields(context, type, entries, null);
  const ids = new Map<FieldNode, number>();
  const written = new Set(common.flatMap((group) => group.nodes.map((node) => nodeId(ids, node))));
  const perType = context.schema.getPossibleTypes(type).map((concrete): TypeSelections => {
    const selections = collectFields(context, concrete, entries, null)
      .map((group) => ({ ...group, nodes: group.nodes.filter((node) => !written.has(nodeId(ids, node))) }))
      .filter((group) => group.nodes.length > 0)
      .flatMap((group) => writeGroup(state, group));
    return { concrete, selections };
  });
  const hoisted = hoist(state, type, perType);
  const hoistedNumbers = new Set(hoisted.map((one) => numberOf(state, one)));
  const fragments = perType.flatMap(({ concrete, selections }): SelectionNode[] => {
    const own = selections.filter((selection) => !hoistedNumbers.has(numberOf(state, selection)));
    const typeCondition = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: concrete.name } } as const;
    return own.length === 0
      ? []
      : [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet: selectionSetOf(own) }];
  });
  // The projection needs the name unless it treats all types alike. It also needs the name where a type may be hidden:
  // without it, such an object would pass for one of the others. Where there are fragments, the planner selects the name
  // itself; if it were selected here, the planner would not use what `@provides` offers below the field.
  const treatsAlike = isInterfaceType(type) && perType.every(({ selections }) => selections.length === 0);
  const isSelected = fragments.some(isUnconditional);
  const isNeeded = !isSelected && !(treatsAlike && !state.hints.partlyHiddenTypes.has(type.name));
  const name = isNeeded ? [TYPENAME] : [];
  // Without the key, Hive Router 0.0.38 cannot find out the type of an interface object that it reached by a reference.
  const keys = fragments.length === 0 ? [] : (state.hints.interfaceObjectKeys.get(type.name) ?? []);
  return [...name, ...keys, ...common.flatMap((group) => writeGroup(state, group)), ...hoisted, ...fragments];
}

function writeSelections(
  state: Normalising,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
): SelectionNode[] {
  const selections = isObjectType(type)
    ? collectFields(state.context, type, entries, null).flatMap((group) => writeGroup(state, group))
    : writeAbstract(state, type, entries);
  return selections.length === 0 ? [TYPENAME] : selections;
}

function toOperation(
  operation: OperationDefinitionNode,
  derived: readonly DerivedCondition[],
  selections: readonly SelectionNode[],
): OperationDefinitionNode {
  const own = derived.map(
    ({ variable }): VariableDefinitionNode => ({
      kind: Kind.VARIABLE_DEFINITION,
      variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
      type: {
        kind: Kind.NON_NULL_TYPE,
        type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Boolean' } },
      },
    }),
  );
  return {
    ...operation,
    variableDefinitions: [...(operation.variableDefinitions ?? []), ...own],
    directives: [],
    selectionSet: selectionSetOf(selections),
  };
}

/**
 * Writes an operation in a form that means the same and has no fragments but those on object types directly below an
 * abstract field: Hive Router's planner 0.0.38 rejects some fragments nested in others. Conditions stand on fields,
 * fields have their keys of the plan, and `__typename` has no alias: the planner finds the type behind an interface
 * object only for the plain name, and the projection needs no other.
 */
export function toNormalForm(
  { operation, context, parts }: OperationToPlan,
  hints: PlanningHints,
): NormalForm | RequestFailure {
  const taken = new Set(operation.variableDefinitions?.map((node) => node.variable.name.value));
  const conditions = createConditionWriter(taken);
  const state: Normalising = {
    context,
    hints,
    conditions,
    remaining: MAX_FIELDS,
    numbers: new Map(),
    numberOf: new WeakMap(),
  };
  try {
    const written = parts.map((groups) => groups.flatMap((group) => writeGroup(state, group)));
    const { derived } = conditions;
    return {
      operations: written.map((part) => (part.length === 0 ? null : toOperation(operation, derived, part))),
      derived,
      fields: MAX_FIELDS - state.remaining,
    };
  } catch (error) {
    if (error instanceof TooLarge) {
      return failRequest('OPERATION_TOO_LARGE', error.message);
    }
    throw error;
  }
}
