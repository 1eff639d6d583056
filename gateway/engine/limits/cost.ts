import {
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

import { conditionsHold, readConditions } from '../conditions.ts';

/** The cost of a mutation, whatever it returns. */
const MUTATION_WEIGHT = 10;
/** Records that a connection counts when neither `first` nor `last` says how many. */
const DEFAULT_PAGE = 20;
/** Records that a plain list counts: its size is not known before it is read. */
const PLAIN_LIST = 10;
/** The fields of a connection that have a page of records; its other fields count once. */
const PAGE_FIELDS: ReadonlySet<string> = new Set(['edges', 'nodes']);

type Variables = Readonly<Record<string, unknown>>;

/**
 * Extra costs: of a value of a large scalar, by `Type.field` or else by the scalar's name; and of a field of objects
 * in addition to its objects, by `Type.field`. Default: 0.
 */
export type CostWeights = Readonly<Record<string, number>>;

/** The cost of an operation for the variables of one request. */
export type CostOf = (variables: Variables) => number;

interface CostContext {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly weights: CostWeights;
  /** Fragments by name: each is compiled once, and evaluated once for a request. */
  readonly compiled: Map<string, CostOf>;
}

/**
 * Compiles the cost of an operation: 1 for each object that a request may read, and the weights of scalars. A page of a
 * connection has as many objects as `first` or `last` says. Selections that `@skip` or `@include` leave out cost nothing. The
 * operation must be valid.
 */
export function compileCost(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  weights: CostWeights = {},
): CostOf {
  const context: CostContext = { schema, fragments, weights, compiled: new Map() };
  const root = schema.getRootType(operation.operation);
  return compileSelection(context, root?.name, operation.selectionSet, 1);
}

function compileSelection(
  context: CostContext,
  typeName: string | undefined,
  selection: SelectionSetNode,
  page: number | CostOf,
): CostOf {
  const parts = selection.selections.map((node) => compileNode(context, typeName, node, page));
  return (variables) => parts.reduce((sum, part) => sum + part(variables), 0);
}

const NOTHING: CostOf = () => 0;

function compileNode(
  context: CostContext,
  typeName: string | undefined,
  node: SelectionSetNode['selections'][number],
  page: number | CostOf,
): CostOf {
  const conditions = readConditions(node.directives);
  if (conditions === false) {
    return NOTHING;
  }
  const cost = compileSelected(context, typeName, node, page);
  return conditions.length === 0
    ? cost
    : (variables) => (conditionsHold(conditions, variables) ? cost(variables) : 0);
}

function compileSelected(
  context: CostContext,
  typeName: string | undefined,
  node: SelectionSetNode['selections'][number],
  page: number | CostOf,
): CostOf {
  switch (node.kind) {
    case Kind.FIELD:
      return compileField(context, typeName, node, page);
    case Kind.INLINE_FRAGMENT:
      return compileSelection(context, node.typeCondition?.name.value ?? typeName, node.selectionSet, page);
    case Kind.FRAGMENT_SPREAD:
      return compileFragment(context, node.name.value, page);
  }
}

function compileFragment(context: CostContext, name: string, page: number | CostOf): CostOf {
  const fragment = context.fragments.get(name);
  if (!fragment) {
    return NOTHING;
  }
  if (page !== 1) {
    return compileSelection(context, fragment.typeCondition.name.value, fragment.selectionSet, page);
  }
  const known = context.compiled.get(name);
  if (known) {
    return known;
  }
  const compiled = oncePerRequest(
    compileSelection(context, fragment.typeCondition.name.value, fragment.selectionSet, 1),
  );
  context.compiled.set(name, compiled);
  return compiled;
}

/** Fragments spread in each other double with every level: each is evaluated once. */
function oncePerRequest(cost: CostOf): CostOf {
  const last: { variables?: Variables; value: number } = { value: 0 };
  return (variables) => {
    if (last.variables !== variables) {
      last.value = cost(variables);
      last.variables = variables;
    }
    return last.value;
  };
}

function compileField(
  context: CostContext,
  typeName: string | undefined,
  node: FieldNode,
  page: number | CostOf,
): CostOf {
  const field = findField(context.schema, typeName, node.name.value);
  const isMutation = field !== undefined && typeName === context.schema.getMutationType()?.name;
  const base = isMutation ? MUTATION_WEIGHT : 0;
  if (!(field && isCompositeType(getNamedType(field.type)) && node.selectionSet)) {
    const own = field ? weightOf(context, `${typeName}.${field.name}`, getNamedType(field.type).name) : 0;
    return () => base + own;
  }
  const pageOf = pageSize(field, node);
  const below = compileSelection(context, getNamedType(field.type).name, node.selectionSet, pageOf ?? 1);
  const times = timesOf(field, node, page, pageOf);
  const weight = base + weightOf(context, `${typeName}.${field.name}`);
  return (variables) => {
    const count = typeof times === 'number' ? times : times(variables);
    return weight + count * (1 + below(variables));
  };
}

function weightOf({ weights }: CostContext, ...names: readonly string[]): number {
  const name = names.find((one) => Object.hasOwn(weights, one));
  return name === undefined ? 0 : (weights[name] ?? 0);
}

/** The number of times that the fields below a field are read: a page of the connection above, a list, or once. */
function timesOf(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
  page: number | CostOf,
  pageOf: CostOf | undefined,
): number | CostOf {
  if (page !== 1 && PAGE_FIELDS.has(node.name.value)) {
    return page;
  }
  return isListType(getNullableType(field.type)) ? (pageOf ?? PLAIN_LIST) : 1;
}

function pageSize(field: GraphQLField<unknown, unknown>, node: FieldNode): CostOf | undefined {
  if (!field.args.some(({ name }) => name === 'first' || name === 'last')) {
    return undefined;
  }
  const given = ['first', 'last'].map(
    (name) => node.arguments?.find((argument) => argument.name.value === name)?.value,
  );
  return (variables) => {
    const sizes = given.map((value) => toNumber(value, variables)).filter((size) => size !== undefined);
    return Math.max(1, sizes[0] ?? DEFAULT_PAGE);
  };
}

function toNumber(value: ValueNode | undefined, variables: Variables): number | undefined {
  if (value?.kind === Kind.INT) {
    return Number(value.value);
  }
  const given = value?.kind === Kind.VARIABLE ? variables[value.name.value] : undefined;
  return typeof given === 'number' ? given : undefined;
}

function findField(schema: GraphQLSchema, typeName: string | undefined, name: string) {
  const type = typeName === undefined ? undefined : schema.getType(typeName);
  return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
}
