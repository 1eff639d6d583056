import {
  type ConstDirectiveNode,
  type DocumentNode,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { argumentOf, isTypeDefinition } from './directives.ts';
import type { LinkedSpecs } from './links.ts';

/** The requirement of one directive. Equal requirements share one object. */
export interface Requirement {
  /** Unique within a supergraph. */
  readonly id: number;
  /** The caller needs all scopes of one of these lists; `null` if every known caller is allowed. */
  readonly scopes: readonly (readonly string[])[] | null;
}

/** The requirements of a supergraph. */
export interface RequirementIndex {
  /** Whether nothing is required anywhere. */
  readonly isEmpty: boolean;
  /**
   * The requirements for selecting a field: those of the field, of the type that has it and of the type that it returns. A
   * field of an interface may be a field of any type behind the interface, so their requirements count too.
   */
  ofField(type: string, field: string): ReadonlySet<Requirement>;
}

/** Requirements by coordinate: `Type` or `Type.field`. */
type Declared = ReadonlyMap<string, readonly Requirement[]>;

interface Annotated {
  readonly directives?: readonly ConstDirectiveNode[];
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

/** Reads the argument as GraphQL coerces `[[Scope!]!]!`. Without the argument no scope is enough. */
function scopesOf(directive: ConstDirectiveNode): string[][] {
  const value = argumentOf(directive, 'scopes');
  return value === undefined ? [] : listOf(valueFromASTUntyped(value)).map((all) => listOf(all).map(String));
}

function readDeclared(document: DocumentNode, specs: LinkedSpecs): Declared {
  const known = new Map<string, Requirement>();
  const intern = (scopes: Requirement['scopes']): Requirement => {
    const text = JSON.stringify(scopes);
    const requirement = known.get(text) ?? { id: known.size, scopes };
    known.set(text, requirement);
    return requirement;
  };
  const read = ({ directives = [] }: Annotated): Requirement[] =>
    directives.flatMap((directive) => {
      if (specs.requiresScopes.has(directive.name.value)) {
        return [intern(scopesOf(directive))];
      }
      return specs.authenticated.has(directive.name.value) ? [intern(null)] : [];
    });
  const declared = new Map<string, Requirement[]>();
  for (const node of document.definitions) {
    if (!isTypeDefinition(node)) {
      continue;
    }
    declared.set(node.name.value, read(node));
    for (const field of 'fields' in node ? (node.fields ?? []) : []) {
      declared.set(`${node.name.value}.${field.name.value}`, read(field));
    }
  }
  return new Map([...declared].filter(([, requirements]) => requirements.length > 0));
}

/**
 * Reads `@authenticated` and `@requiresScopes`, by the names under which the supergraph links them. Types and fields that are
 * hidden from clients count too.
 *
 * @param schema everything of the supergraph
 */
export function readRequirements(
  document: DocumentNode,
  schema: GraphQLSchema,
  specs: LinkedSpecs,
): RequirementIndex {
  const declared = readDeclared(document, specs);
  const known = new Map<string, ReadonlySet<Requirement>>();
  const find = (name: string, field: string): Set<Requirement> => {
    const type = schema.getType(name);
    if (!isObjectType(type) && !isInterfaceType(type)) {
      return new Set();
    }
    const behind = isInterfaceType(type) ? schema.getPossibleTypes(type) : [];
    const coordinates = [type, ...behind].flatMap((one) => {
      const returned = one.getFields()[field]?.type;
      return [
        one.name,
        `${one.name}.${field}`,
        ...(returned === undefined ? [] : [getNamedType(returned).name]),
      ];
    });
    return new Set(coordinates.flatMap((coordinate) => declared.get(coordinate) ?? []));
  };
  return {
    isEmpty: declared.size === 0,
    ofField(type, field) {
      const coordinate = `${type}.${field}`;
      const requirements = known.get(coordinate) ?? find(type, field);
      known.set(coordinate, requirements);
      return requirements;
    },
  };
}
