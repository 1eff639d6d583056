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
  OperationTypeNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import {
  collectFields,
  type FieldGroup,
  hasStableOrder,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from './collect-fields.ts';
import type { ConditionValues } from './conditions.ts';
import { failRequest, type RequestFailure } from './request-error.ts';
import type { Supergraph } from './supergraph.ts';
import {
  type ConditionWriter,
  createConditionWriter,
  type DerivedCondition,
  withConditions,
} from './write-conditions.ts';

/** An operation in the form in which the planner gets it. */
export interface NormalOperation {
  /** Documents to plan, in the order in which their plans must run. */
  readonly documents: readonly string[];
  /** Variables of the documents whose values are to be worked out for each request. */
  readonly derived: readonly DerivedCondition[];
  /**
   * The indexes of the documents that a request is to run, in its order; `null` when that is always all of them as
   * they stand. Where a selection is left out, a later one of the same field has a place of its own.
   */
  readonly order: ((values: ConditionValues) => readonly number[]) | null;
  /** How many fields the documents select. */
  readonly selections: number;
  /** `__schema` and `__type`, which are answered from the schema itself; `null` when there are none. */
  readonly introspection: SelectionSetNode | null;
}

type GroupNode = FieldGroup['nodes'][number];

/** What the planner has to be helped with. */
export type PlanningHints = Pick<Supergraph, 'partlyHiddenTypes' | 'interfaceObjectKeys'>;

interface Normalising {
  readonly context: OperationContext;
  readonly hints: PlanningHints;
  readonly conditions: ConditionWriter;
  /** Selections that may still be written. */
  remaining: number;
  /** Numbers of selections; those that are written alike have the same. */
  readonly numbers: Map<string, number>;
  readonly numberOf: WeakMap<SelectionNode, number>;
}

/** Fragments can make a short document expand without bound; no honest operation comes near this. */
const MAX_SELECTIONS = 5_000;

const TOO_LARGE = Symbol('too large');

const TYPENAME: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

function selectionSetOf(selections: readonly SelectionNode[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections };
}

function writeField(state: Normalising, group: FieldGroup, entries: readonly SelectionEntry[]): FieldNode {
  state.remaining -= 1;
  if (state.remaining < 0) {
    throw TOO_LARGE;
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

/** What is selected below a field, under conditions that are left to say once the field itself is there. */
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

/** A number that two selections share when they are written alike; cheaper than comparing their text. */
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

/** What every one of the types is asked for in the same words can as well be asked of the interface. */
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

/** What the type itself is asked for, then, for each type that it may be, what that one is asked for besides. */
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
  // The projection needs the name unless it treats all types alike. It also does for a type that clients must not
  // know: without its name such an object would pass for one of the others. Where there are fragments the planner asks
  // for it itself; asked for here, it would keep the planner from what `@provides` offers below the field.
  const treatsAlike = isInterfaceType(type) && perType.every(({ selections }) => selections.length === 0);
  const isAskedFor = fragments.some(isUnconditional);
  const isNeeded = !isAskedFor && !(treatsAlike && !state.hints.partlyHiddenTypes.has(type.name));
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

function introspectionOf(groups: readonly FieldGroup[]): SelectionSetNode | null {
  const selections = groups.flatMap((group) =>
    group.definition === null
      ? group.nodes.map(({ node, conditions }) => withConditions(node, conditions))
      : [],
  );
  return selections.length === 0 ? null : selectionSetOf(selections);
}

function printPart(
  operation: OperationDefinitionNode,
  derived: readonly DerivedCondition[],
  selections: readonly SelectionNode[],
): string {
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
  const variableDefinitions = [...(operation.variableDefinitions ?? []), ...own];
  return print({
    ...operation,
    variableDefinitions,
    directives: [],
    selectionSet: selectionSetOf(selections),
  });
}

function orderOf(groups: readonly FieldGroup[], keys: readonly string[]): number[] {
  return groups.map((group) => keys.indexOf(group.key)).filter((index) => index >= 0);
}

/**
 * Writes an operation in a form that means the same and has no fragments but those on object types directly below
 * an abstract field; planners are at their best with it (Hive Router's 0.0.38 refuses several fragments nested in
 * others). Conditions stand on fields, fields have their keys of the plan, `__typename` has no alias: the planner
 * finds the type behind an interface object only for the plain name, and the projection needs no other. The root
 * is divided: introspection is set apart, and each root field of a mutation becomes a document, because it must be
 * complete, with all that other subgraphs add to it, before the next begins (GraphQL specification, section 6.2.2).
 */
export function normaliseOperation(
  context: OperationContext,
  operation: OperationDefinitionNode,
  rootType: GraphQLObjectType,
  hints: PlanningHints,
): NormalOperation | RequestFailure {
  const taken = new Set(operation.variableDefinitions?.map((node) => node.variable.name.value));
  const conditions = createConditionWriter(taken);
  const state: Normalising = {
    context,
    hints,
    conditions,
    remaining: MAX_SELECTIONS,
    numbers: new Map(),
    numberOf: new WeakMap(),
  };
  const entries = [{ selectionSet: operation.selectionSet, conditions: [] }];
  const groups = collectFields(context, rootType, entries, null);
  const planned = groups.filter(
    (group) => group.definition !== null && group.definition.name !== '__typename',
  );
  try {
    const fields = planned.map((group) => ({ key: group.key, selections: writeGroup(state, group) }));
    const written = fields.filter(({ selections }) => selections.length > 0);
    const isMutation = operation.operation === OperationTypeNode.MUTATION;
    const selections = written.map((field) => field.selections);
    const parts = isMutation || selections.length === 0 ? selections : [selections.flat()];
    const keys = written.map(({ key }) => key);
    return {
      documents: parts.map((part) => printPart(operation, conditions.derived, part)),
      derived: conditions.derived,
      order:
        isMutation && !hasStableOrder(planned)
          ? (values) => orderOf(collectFields(context, rootType, entries, values), keys)
          : null,
      selections: MAX_SELECTIONS - state.remaining,
      introspection: introspectionOf(groups),
    };
  } catch (error) {
    if (error === TOO_LARGE) {
      return failRequest('OPERATION_TOO_LARGE', `The operation selects more than ${MAX_SELECTIONS} fields.`);
    }
    throw error;
  }
}
