import {
  type ASTNode,
  type GraphQLSchema,
  getNamedType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { ValidOperation } from './document.ts';
import type { ScalarInput } from './scalar-inputs.ts';

function hasNumbers(roots: readonly ASTNode[]): boolean {
  let found = false;
  const note = () => {
    found = true;
  };
  for (const root of roots) {
    visit(root, { IntValue: note, FloatValue: note });
  }
  return found;
}

/**
 * Writes number literals of exact scalars (`amount: 10.10`) as strings of the same digits. Hive Router 0.0.38 reads
 * literals as floats of 64 bits and prints what is left of them.
 */
export function withExactNumbers<T extends ValidOperation>(
  valid: T,
  schema: GraphQLSchema,
  scalars: readonly ScalarInput[],
): T {
  const exact = new Set(scalars.flatMap(({ type, numbersAsText }) => (numbersAsText ? [type.name] : [])));
  const { operation, fragments } = valid;
  if (exact.size === 0 || !hasNumbers([operation, ...fragments.values()])) {
    return valid;
  }
  const rewrite = <N extends ASTNode>(root: N): N => {
    const types = new TypeInfo(schema);
    const asText = (node: { readonly value: string }): ValueNode | undefined =>
      exact.has(getNamedType(types.getInputType())?.name ?? '')
        ? { kind: Kind.STRING, value: node.value }
        : undefined;
    return visit(root, visitWithTypeInfo(types, { IntValue: asText, FloatValue: asText }));
  };
  return {
    ...valid,
    operation: rewrite(operation),
    fragments: new Map([...fragments].map(([name, fragment]) => [name, rewrite(fragment)])),
  };
}
