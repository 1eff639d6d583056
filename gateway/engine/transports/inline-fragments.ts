import { type DocumentNode, type FragmentDefinitionNode, Kind, type SelectionSetNode, visit } from 'graphql';

function hasConditions(document: DocumentNode): boolean {
  let found = false;
  visit(document, {
    Directive(node) {
      found ||= node.name.value === 'skip' || node.name.value === 'include';
    },
  });
  return found;
}

/**
 * Writes each fragment out where it is spread, in documents with `@skip` or `@include`. graphql-jit 0.8.9 looks
 * into a fragment only at its first spread, and so loses the conditions of the others.
 */
export function inlineConditionalFragments(document: DocumentNode): DocumentNode {
  const fragments = new Map(
    document.definitions
      .filter((node): node is FragmentDefinitionNode => node.kind === Kind.FRAGMENT_DEFINITION)
      .map((node) => [node.name.value, node]),
  );
  if (fragments.size === 0 || !hasConditions(document)) {
    return document;
  }
  // New nodes every time: graphql-jit also keeps conditions on the nodes themselves.
  const inline = (selectionSet: SelectionSetNode): SelectionSetNode => ({
    ...selectionSet,
    selections: selectionSet.selections.map((selection) => {
      if (selection.kind !== Kind.FRAGMENT_SPREAD) {
        return selection.selectionSet === undefined
          ? { ...selection }
          : { ...selection, selectionSet: inline(selection.selectionSet) };
      }
      const fragment = fragments.get(selection.name.value);
      if (fragment === undefined) {
        throw new Error(`Unknown fragment "${selection.name.value}".`);
      }
      return {
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: fragment.typeCondition,
        directives: selection.directives ?? [],
        selectionSet: inline(fragment.selectionSet),
      };
    }),
  });
  return {
    ...document,
    definitions: document.definitions
      .filter((node) => node.kind === Kind.OPERATION_DEFINITION)
      .map((node) => ({ ...node, selectionSet: inline(node.selectionSet) })),
  };
}
