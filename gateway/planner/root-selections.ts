import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { readConditions } from './conditions.ts';
import { responseKey } from './response-keys.ts';

/** Fragment definitions of a document by name. */
export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

interface RootField {
  readonly field: FieldNode;
  /** The field, wrapped in the conditional fragments that it stood in. */
  readonly selection: SelectionNode;
}

function wrap(selection: SelectionNode, fragment: Exclude<SelectionNode, FieldNode>): SelectionNode {
  const directives = fragment.directives ?? [];
  if (directives.length === 0) {
    return selection;
  }
  return {
    kind: Kind.INLINE_FRAGMENT,
    directives,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [selection] },
  };
}

function flattenRoot(selectionSet: SelectionSetNode, fragments: Fragments): RootField[] {
  return selectionSet.selections.flatMap((selection): RootField[] => {
    if (readConditions(selection.directives) === false) {
      return [];
    }
    if (selection.kind === Kind.FIELD) {
      return [{ field: selection, selection }];
    }
    const inner =
      selection.kind === Kind.INLINE_FRAGMENT
        ? selection.selectionSet
        : fragments.get(selection.name.value)?.selectionSet;
    return inner === undefined
      ? []
      : flattenRoot(inner, fragments).map((root) => ({
          ...root,
          selection: wrap(root.selection, selection),
        }));
  });
}

/** Root selections by who answers them. */
export interface RootSelections {
  /** One selection set per document to plan, in the order in which they must run. */
  readonly planned: readonly SelectionSetNode[];
  /** `__schema` and `__type`, answered from the schema itself; `null` when there are none. */
  readonly introspection: SelectionSetNode | null;
}

function selectionSet(roots: readonly RootField[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: roots.map((root) => root.selection) };
}

/**
 * Divides the root of an operation: introspection goes to the schema, `__typename` to nobody (the projection
 * knows it), the rest to the planner. Each root field of a mutation is planned on its own, because it must be
 * complete, with all that other subgraphs add to it, before the next begins (GraphQL specification, section 6.2.2).
 */
export function splitRootSelections(
  operation: OperationDefinitionNode,
  fragments: Fragments,
): RootSelections {
  const roots = flattenRoot(operation.selectionSet, fragments);
  const introspection = roots.filter(({ field }) => ['__schema', '__type'].includes(field.name.value));
  const data = roots.filter(({ field }) => !field.name.value.startsWith('__'));
  const groups = new Map<string, RootField[]>();
  for (const root of data) {
    const key = operation.operation === OperationTypeNode.MUTATION ? responseKey(root.field) : '';
    groups.set(key, [...(groups.get(key) ?? []), root]);
  }
  return {
    planned: [...groups.values()].map(selectionSet),
    introspection: introspection.length === 0 ? null : selectionSet(introspection),
  };
}

/** A document of this operation with another root selection set, and all fragments. */
export function withRootSelections(
  operation: OperationDefinitionNode,
  fragments: Fragments,
  selections: SelectionSetNode,
): DocumentNode {
  return {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, selectionSet: selections }, ...fragments.values()],
  };
}
