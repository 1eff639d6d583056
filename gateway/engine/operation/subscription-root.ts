import {
  type ASTVisitor,
  type DirectiveNode,
  type FragmentDefinitionNode,
  GraphQLError,
  getEnterLeaveForKind,
  Kind,
  OperationTypeNode,
  type SelectionSetNode,
  SingleFieldSubscriptionsRule,
  type ValidationContext,
} from 'graphql';

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/** `@skip` and `@include` on the selections of the root, also on those in fragments. */
function conditionsIn(
  { selections }: SelectionSetNode,
  fragmentOf: (name: string) => FragmentDefinitionNode | null | undefined,
  seen: Set<string>,
): DirectiveNode[] {
  return selections.flatMap((node) => {
    const own = (node.directives ?? []).filter(({ name }) => CONDITIONS.has(name.value));
    if (node.kind === Kind.FIELD) {
      return own;
    }
    if (node.kind === Kind.INLINE_FRAGMENT) {
      return [...own, ...conditionsIn(node.selectionSet, fragmentOf, seen)];
    }
    const name = node.name.value;
    const fragment = seen.has(name) ? undefined : fragmentOf(name);
    seen.add(name);
    return fragment ? [...own, ...conditionsIn(fragment.selectionSet, fragmentOf, seen)] : own;
  });
}

/**
 * A validation rule that replaces graphql-js's `SingleFieldSubscriptionsRule`: it rejects `@skip` and `@include` at the root of
 * a subscription, too. graphql-js (16.15) evaluates them, and throws out of the validation for one with a variable.
 * Source: GraphQL specification (September 2025), section 5.2.4.1.
 */
export function subscriptionRootRule(context: ValidationContext): ASTVisitor {
  const singleField = SingleFieldSubscriptionsRule(context);
  const { enter } = getEnterLeaveForKind(singleField, Kind.OPERATION_DEFINITION);
  return {
    OperationDefinition(node, ...place) {
      if (node.operation !== OperationTypeNode.SUBSCRIPTION) {
        return undefined;
      }
      const nodes = conditionsIn(node.selectionSet, (name) => context.getFragment(name), new Set());
      if (nodes.length === 0) {
        return enter?.call(singleField, node, ...place);
      }
      const message = 'A subscription must not have @skip or @include at its root.';
      context.reportError(new GraphQLError(message, { nodes }));
      return undefined;
    },
  };
}
