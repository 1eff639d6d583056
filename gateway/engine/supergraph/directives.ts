import {
  type ConstDirectiveNode,
  type ConstValueNode,
  type DefinitionNode,
  type DirectiveNode,
  Kind,
  type TypeDefinitionNode,
  type ValueNode,
} from 'graphql';

/** The value of a directive's argument, as it is written. */
export function argumentOf(directive: ConstDirectiveNode, name: string): ConstValueNode | undefined;
export function argumentOf(directive: DirectiveNode, name: string): ValueNode | undefined;
export function argumentOf(directive: DirectiveNode, name: string): ValueNode | undefined {
  return directive.arguments?.find((argument) => argument.name.value === name)?.value;
}

/** The same of an argument that is a string or an enum value. */
export function textOf(directive: ConstDirectiveNode, name: string): string | undefined {
  const value = argumentOf(directive, name);
  return value?.kind === Kind.STRING || value?.kind === Kind.ENUM ? value.value : undefined;
}

export function isTypeDefinition(node: DefinitionNode): node is TypeDefinitionNode {
  return 'name' in node && node.kind.endsWith('TypeDefinition');
}
