import {
  type DocumentNode,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  Kind,
  type NamedTypeNode,
  type TypeNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { FetchVariables } from './transport.ts';

function nameOf(type: TypeNode): string {
  let inner = type;
  while (inner.kind !== Kind.NAMED_TYPE) {
    inner = inner.type;
  }
  return (inner satisfies NamedTypeNode).name.value;
}

function isBeyondCompiler(type: GraphQLNamedType | undefined, above: ReadonlySet<GraphQLNamedType>): boolean {
  if (!isInputObjectType(type)) {
    return false;
  }
  const path = new Set([...above, type]);
  return (
    above.has(type) ||
    Object.values(type.getFields()).some(
      (field) => field.defaultValue !== undefined || isBeyondCompiler(getNamedType(field.type), path),
    )
  );
}

function variableDefinitions(document: DocumentNode): readonly VariableDefinitionNode[] {
  return document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION ? (node.variableDefinitions ?? []) : [],
  );
}

/**
 * Whether a variable of the document has an input type that can contain itself, or has fields with defaults. graphql-jit
 * 0.8.9 writes the check of a variable out level by level, and for a type of the first kind goes on until the stack or
 * the memory ends; of the second kind it forgets the defaults.
 */
export function usesInputBeyondCompiler(schema: GraphQLSchema, document: DocumentNode): boolean {
  return variableDefinitions(document).some(({ type }) =>
    isBeyondCompiler(schema.getType(nameOf(type)), new Set()),
  );
}

function variablesInLiterals(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  const note = { Variable: (node: { name: { value: string } }) => void names.add(node.name.value) };
  visit(document, {
    ObjectValue: (node) => void visit(node, note),
    ListValue: (node) => void visit(node, note),
  });
  return names;
}

/**
 * Finds the variables of a request that only graphql-js treats as the specification says (section 6.4.1). Inside an input
 * object or a list that is written out in the document, graphql-jit 0.8.9 makes null of one that is left out, where
 * nothing or a default belongs, and accepts null where none may be. It rejects a non-null variable that is left out, even if
 * it has a default.
 */
export function createNeedsInterpreter(document: DocumentNode): (variables: FetchVariables) => boolean {
  const names = variablesInLiterals(document);
  const definitions = variableDefinitions(document);
  const inLiterals = definitions
    .filter(({ variable }) => names.has(variable.name.value))
    .map((node) => ({
      name: node.variable.name.value,
      value: node.defaultValue === undefined ? undefined : null,
    }));
  const withDefaults = definitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && defaultValue !== undefined)
    .map((node) => ({ name: node.variable.name.value, value: undefined }));
  const hazards = [...inLiterals, ...withDefaults];
  return (variables) => hazards.some(({ name, value }) => variables[name] === value);
}
