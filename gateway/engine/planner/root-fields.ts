import {
  type GraphQLObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { type ConditionValues, withConditions } from '../conditions.ts';
import {
  collectFields,
  type FieldGroup,
  hasStableOrder,
  type OperationContext,
} from '../operation/collect-fields.ts';

/** The root fields of an operation, divided by how they are answered. */
export interface RootFields {
  /** The answers of subgraphs: see `OperationToPlan.parts`. */
  readonly parts: readonly (readonly FieldGroup[])[];
  /**
   * The indexes of the parts that a request runs, in its order; `null` when a request runs all of them as they stand.
   * Where a request leaves out a selection, a later selection of the same field has a place of its own.
   */
  readonly order: ((values: ConditionValues) => readonly number[]) | null;
  /** `__schema` and `__type`, which the schema itself answers; `null` when there are none. */
  readonly introspection: SelectionSetNode | null;
}

function introspectionOf(groups: readonly FieldGroup[]): SelectionSetNode | null {
  const selections = groups.flatMap((group) =>
    group.definition === null
      ? group.nodes.map(({ node, conditions }) => withConditions(node, conditions))
      : [],
  );
  return selections.length === 0 ? null : { kind: Kind.SELECTION_SET, selections };
}

/**
 * Divides the root of an operation. Each root field of a mutation is a part: it must be complete, with all that other
 * subgraphs add to it, before the next begins (GraphQL specification, section 6.2.2).
 */
export function divideRoot(
  context: OperationContext,
  operation: OperationDefinitionNode,
  rootType: GraphQLObjectType,
): RootFields {
  const entries = [{ selectionSet: operation.selectionSet, conditions: [] }];
  const groups = collectFields(context, rootType, entries, null);
  const planned = groups.filter(({ definition }) => definition !== null && definition.name !== '__typename');
  const introspection = introspectionOf(groups);
  if (operation.operation !== OperationTypeNode.MUTATION) {
    return { parts: planned.length === 0 ? [] : [planned], order: null, introspection };
  }
  const keys = planned.map(({ key }) => key);
  return {
    parts: planned.map((group) => [group]),
    order: hasStableOrder(planned)
      ? null
      : (values) =>
          collectFields(context, rootType, entries, values)
            .map(({ key }) => keys.indexOf(key))
            .filter((index) => index >= 0),
    introspection,
  };
}
