import {
  type GraphQLCompositeType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { type ConditionValues, deriveConditions } from '../conditions.ts';
import {
  collectFields,
  dependsOnType,
  type FieldGroup,
  type OperationContext,
  type SelectionEntry,
  subEntries,
} from '../operation/collect-fields.ts';
import type { ExactNumbers } from './exact-numbers.ts';
import { type Knowledge, type Known, WrongPlan } from './knowledge.ts';
import type { Model } from './model.ts';
import type { OperationPlan, OperationToPlan } from './planner.ts';
import { Documents, Simulation } from './simulate.ts';
import { typesBehind } from './wants.ts';

interface VerifierDeps {
  readonly model: Model;
  readonly exactNumbers: ExactNumbers;
  readonly partlyHiddenTypes: ReadonlySet<string>;
}

/** So many condition variables are tried in all combinations. */
const MOST_VARIABLES = 4;

const NOTHING_HIDDEN: ReadonlySet<number> = new Set();

interface Checking extends VerifierDeps {
  readonly context: OperationContext;
  readonly values: ConditionValues;
}

/** The fields that were fetched of objects, in one or several pieces. */
type Pieces = readonly Knowledge[];

function find(pieces: Pieces, cls: string, key: string): Known[] {
  return pieces.flatMap((known) => known.find(cls, key, NOTHING_HIDDEN));
}

function checkGroup(checking: Checking, pieces: Pieces, cls: string, group: FieldGroup): void {
  const { definition, source, nodes } = group;
  if (definition === null || definition.name === '__typename') {
    return;
  }
  const args = checking.exactNumbers.write(nodes[0]?.node.arguments ?? [], definition.args);
  const meaning = args === '' ? definition.name : `${definition.name}(${args})`;
  const values = find(pieces, cls, source);
  if (!values.some((value) => value.meaning === meaning)) {
    throw new WrongPlan(`${cls}.${meaning} is not fetched as ${source}.`);
  }
  const type = getNamedType(definition.type);
  if (isCompositeType(type)) {
    const below = values.flatMap((value) => value.below ?? []);
    checkObjects(checking, below, type, subEntries(group));
  }
}

/** Types that the objects may have, as far as every subgraph that returns them knows. */
function typesOf(
  { context, model }: Checking,
  pieces: Pieces,
  type: GraphQLCompositeType,
): readonly (GraphQLObjectType | GraphQLInterfaceType)[] {
  const mayBe = (cls: string, name: string) => cls === name || model.possibleTypes(cls).includes(name);
  return typesBehind(context.schema, type).filter(({ name }) =>
    pieces.every(({ possible }) => possible.some((cls) => mayBe(cls, name))),
  );
}

function checkObjects(
  checking: Checking,
  pieces: Pieces,
  type: GraphQLCompositeType,
  entries: readonly SelectionEntry[],
): void {
  const { context, values, partlyHiddenTypes } = checking;
  const isAlike =
    isObjectType(type) ||
    (isInterfaceType(type) &&
      !partlyHiddenTypes.has(type.name) &&
      !dependsOnType(context, type, entries, values));
  for (const concrete of typesOf(checking, pieces, type)) {
    const names = isAlike ? [] : find(pieces, concrete.name, '__typename');
    if (!isAlike && !names.some(({ meaning }) => meaning === concrete.name)) {
      throw new WrongPlan(`The name of ${concrete.name} is not fetched.`);
    }
    for (const group of collectFields(context, concrete, entries, values)) {
      checkGroup(checking, pieces, concrete.name, group);
    }
  }
}

/** Assignments of the variables that decide about selections: all of them where there are few. */
function assignments(names: readonly string[]): ConditionValues[] {
  const count = names.length <= MOST_VARIABLES ? 2 ** names.length : 2 ** MOST_VARIABLES;
  return Array.from({ length: count }, (_item, number) =>
    Object.fromEntries(names.map((name, index) => [name, ((number >> (index % MOST_VARIABLES)) & 1) === 1])),
  );
}

/**
 * Proves a plan right, over types alone and by other means than it was made: every field that the operation selects of every
 * possible type is fetched from a subgraph that can resolve it; references have a key and what `@requires` names, fetched
 * before; no key of the data has two meanings, and no key of a document values of two shapes.
 *
 * @throws WrongPlan when that is not so
 */
export function verifyPlan(
  deps: VerifierDeps,
  request: OperationToPlan,
  { nodes, derived }: OperationPlan,
): void {
  const { operation, context, parts } = request;
  const rootType = context.schema.getRootType(operation.operation);
  if (rootType === undefined || rootType === null) {
    throw new WrongPlan(`There is no type of ${operation.operation}.`);
  }
  const documents = new Documents();
  for (const given of assignments(request.conditionVariables)) {
    const values = { ...given, ...deriveConditions(derived, given) };
    const entries = [{ selectionSet: operation.selectionSet, conditions: [] }];
    const selected = collectFields(context, rootType, entries, values);
    for (const [index, node] of nodes.entries()) {
      const simulation = new Simulation({ model: deps.model, documents, values }, rootType.name);
      simulation.run(node);
      const keys = new Set((parts[index] ?? []).map(({ key }) => key));
      for (const group of selected.filter(({ key }) => keys.has(key))) {
        checkGroup({ ...deps, context, values }, [simulation.root], rootType.name, group);
      }
    }
  }
}
