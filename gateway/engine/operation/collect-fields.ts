import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  isAbstractType,
  isUnionType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';
import { type Condition, type ConditionValues, conditionsHold, readConditions } from '../conditions.ts';
import { type ResponseKeys, responseKey } from './response-keys.ts';

/** Fragment definitions of a document by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Fields that a caller may not select, each with the scopes that the caller lacks for it. */
export type DeniedFields = ReadonlyMap<FieldNode, readonly string[]>;

/** The context for reading an operation. */
export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly keys: ResponseKeys;
  /** Default: none. */
  readonly denied?: DeniedFields;
}

/** A selection set, and the conditions under which it counts. */
export interface SelectionEntry {
  readonly selectionSet: SelectionSetNode;
  readonly conditions: readonly Condition[];
}

/** Selections of one response key: they are answered together. */
export interface FieldGroup {
  readonly key: string;
  /** The key of the value in the data. */
  readonly source: string;
  /** Absent for `__schema` and `__type`, whose values are complete already. */
  readonly definition: GraphQLField<unknown, unknown> | null;
  readonly nodes: { readonly node: FieldNode; readonly conditions: readonly Condition[] }[];
}

/** The source of a denied value: no field has this name. */
const NOWHERE = '';

/** Whether the caller may not have the value, because one of the selections is denied. */
export function isDenied(group: FieldGroup): boolean {
  return group.source === NOWHERE;
}

function fieldDefinition(
  type: GraphQLCompositeType,
  name: string,
): GraphQLField<unknown, unknown> | null | undefined {
  if (name === TypeNameMetaFieldDef.name) {
    return TypeNameMetaFieldDef;
  }
  if (name === '__schema' || name === '__type') {
    return null;
  }
  return isUnionType(type) ? undefined : type.getFields()[name];
}

function applies(
  context: OperationContext,
  type: GraphQLCompositeType,
  condition: string | undefined,
): boolean {
  if (condition === undefined || condition === type.name) {
    return true;
  }
  const abstract = context.schema.getType(condition);
  return isAbstractType(abstract) && !isUnionType(type) && context.schema.isSubType(abstract, type);
}

interface Collecting {
  readonly context: OperationContext;
  readonly type: GraphQLCompositeType;
  /** With known values, conditions decide at once; without them they are kept. */
  readonly values: ConditionValues | null;
  readonly groups: Map<string, FieldGroup>;
  /** Fragments seen, each under the conditions of its spread: only an unconditional one makes others redundant. */
  readonly visited: Set<string>;
}

function addField(collecting: Collecting, node: FieldNode, conditions: readonly Condition[]): void {
  const key = responseKey(node);
  const group = collecting.groups.get(key);
  const isDeniedNode = collecting.context.denied?.has(node) === true;
  if (group !== undefined) {
    group.nodes.push({ node, conditions });
    if (isDeniedNode) {
      collecting.groups.set(key, { ...group, source: NOWHERE });
    }
    return;
  }
  const definition = fieldDefinition(collecting.type, node.name.value);
  if (definition !== undefined) {
    const source = isDeniedNode ? NOWHERE : collecting.context.keys.planKey(node);
    collecting.groups.set(key, { key, source, definition, nodes: [{ node, conditions }] });
  }
}

function visitSelection(collecting: Collecting, selection: SelectionNode, outer: readonly Condition[]): void {
  const own = readConditions(selection.directives);
  if (own === false || (collecting.values !== null && !conditionsHold(own, collecting.values))) {
    return;
  }
  const conditions = collecting.values === null && own.length > 0 ? [...outer, ...own] : outer;
  if (selection.kind === Kind.FIELD) {
    addField(collecting, selection, conditions);
    return;
  }
  if (selection.kind === Kind.INLINE_FRAGMENT) {
    if (applies(collecting.context, collecting.type, selection.typeCondition?.name.value)) {
      visitSelections(collecting, selection.selectionSet, conditions);
    }
    return;
  }
  const name = selection.name.value;
  const fragment = collecting.context.fragments.get(name);
  if (fragment === undefined || collecting.visited.has(name)) {
    return;
  }
  if (conditions.length === 0) {
    collecting.visited.add(name);
  }
  if (applies(collecting.context, collecting.type, fragment.typeCondition.name.value)) {
    visitSelections(collecting, fragment.selectionSet, conditions);
  }
}

function visitSelections(
  collecting: Collecting,
  selectionSet: SelectionSetNode,
  outer: readonly Condition[],
): void {
  for (const selection of selectionSet.selections) {
    visitSelection(collecting, selection, outer);
  }
}

/**
 * CollectFields of the GraphQL specification (section 6.3.2), in response order. With `values` conditions are
 * decided; with `null` they are kept, and every field that any request may select is in the result. For an abstract
 * type only what is selected of the type itself is collected.
 */
export function collectFields(
  context: OperationContext,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
  values: ConditionValues | null,
): FieldGroup[] {
  const collecting: Collecting = { context, type, values, groups: new Map(), visited: new Set() };
  for (const entry of entries) {
    if (values === null || conditionsHold(entry.conditions, values)) {
      visitSelections(collecting, entry.selectionSet, values === null ? entry.conditions : []);
    }
  }
  return [...collecting.groups.values()];
}

/**
 * The selection sets below a field. Conditions of a single selection are dropped, because they already decided about the
 * field.
 */
export function subEntries(group: FieldGroup): SelectionEntry[] {
  const lone = group.nodes.length === 1;
  return group.nodes.flatMap(({ node, conditions }) =>
    node.selectionSet === undefined
      ? []
      : [{ selectionSet: node.selectionSet, conditions: lone ? [] : conditions }],
  );
}

/** Whether a response key always has the same place among the others: none leaves it to a later selection. */
export function hasStableOrder(groups: readonly FieldGroup[]): boolean {
  return groups.every((group) => group.nodes.length === 1 || group.nodes[0]?.conditions.length === 0);
}

/**
 * Whether the operation selects different fields of the types behind an interface, or their `__typename`. Then the
 * interface alone does not determine the answer.
 */
export function dependsOnType(
  context: OperationContext,
  type: GraphQLInterfaceType,
  entries: readonly SelectionEntry[],
  values: ConditionValues | null,
): boolean {
  const countNodes = (groups: readonly FieldGroup[]) =>
    groups.reduce((total, group) => total + group.nodes.length, 0);
  const own = collectFields(context, type, entries, values);
  const total = countNodes(own);
  return (
    own.some((group) => group.definition?.name === TypeNameMetaFieldDef.name) ||
    context.schema
      .getPossibleTypes(type)
      .some((concrete) => countNodes(collectFields(context, concrete, entries, values)) !== total)
  );
}
