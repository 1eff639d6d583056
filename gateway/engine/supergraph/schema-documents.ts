import {
  type ConstDirectiveNode,
  type DirectiveDefinitionNode,
  type DocumentNode,
  Kind,
  type NamedTypeNode,
  type TypeDefinitionNode,
  visit,
} from 'graphql';
import { isTypeDefinition } from './directives.ts';
import type { LinkedSpecs } from './links.ts';

const KEPT_DIRECTIVES = new Set(['deprecated', 'specifiedBy', 'oneOf']);
const EXECUTABLE_LOCATIONS = new Set([
  'QUERY',
  'MUTATION',
  'SUBSCRIPTION',
  'FIELD',
  'FRAGMENT_DEFINITION',
  'FRAGMENT_SPREAD',
  'INLINE_FRAGMENT',
  'VARIABLE_DEFINITION',
]);

function hasDirective(
  node: { readonly directives?: readonly ConstDirectiveNode[] },
  names: ReadonlySet<string>,
): boolean {
  return node.directives?.some((directive) => names.has(directive.name.value)) ?? false;
}

function isExecutable(node: DirectiveDefinitionNode): boolean {
  return node.locations.some((location) => EXECUTABLE_LOCATIONS.has(location.value));
}

/** Types that arguments of executable directives have, so that these can be used; whatever their names. */
function typesOfDirectives(document: DocumentNode): Set<string> {
  const names = new Set<string>();
  for (const node of document.definitions) {
    if (node.kind === Kind.DIRECTIVE_DEFINITION && isExecutable(node)) {
      visit(node, { NamedType: (type) => void names.add(type.name.value) });
    }
  }
  return names;
}

function isMachinery(
  node: DirectiveDefinitionNode | TypeDefinitionNode,
  specs: LinkedSpecs,
  used: ReadonlySet<string>,
): boolean {
  // Composition brings in executable directives of a linked specification by `@composeDirective`: clients use them.
  if (node.kind === Kind.DIRECTIVE_DEFINITION) {
    return !isExecutable(node);
  }
  const name = node.name.value;
  return (
    !used.has(name) && (specs.prefixes.some((prefix) => name.startsWith(prefix)) || specs.names.has(name))
  );
}

function strip(
  document: DocumentNode,
  specs: LinkedSpecs,
  hidden: ReadonlySet<string>,
  hide: boolean,
): DocumentNode {
  const dropHidden = (node: { readonly directives?: readonly ConstDirectiveNode[] }) =>
    hide && hasDirective(node, specs.inaccessible) ? null : undefined;
  const dropHiddenNames = <N extends NamedTypeNode>(nodes: readonly N[] | undefined) =>
    (nodes ?? []).filter((node) => !hidden.has(node.name.value));
  const used = typesOfDirectives(document);
  const definitions = document.definitions.filter((node) => {
    if (node.kind === Kind.DIRECTIVE_DEFINITION) {
      return !isMachinery(node, specs, used);
    }
    return !isTypeDefinition(node) || !(isMachinery(node, specs, used) || hidden.has(node.name.value));
  });
  return visit(
    { ...document, definitions },
    {
      Directive: {
        enter: (node) => (KEPT_DIRECTIVES.has(node.name.value) ? undefined : null),
      },
      FieldDefinition: { enter: dropHidden },
      InputValueDefinition: { enter: dropHidden },
      EnumValueDefinition: { enter: dropHidden },
      UnionTypeDefinition: { enter: (node) => ({ ...node, types: dropHiddenNames(node.types) }) },
      ObjectTypeDefinition: { enter: (node) => ({ ...node, interfaces: dropHiddenNames(node.interfaces) }) },
      InterfaceTypeDefinition: {
        enter: (node) => ({ ...node, interfaces: dropHiddenNames(node.interfaces) }),
      },
    },
  );
}

/** The two schemas inside a supergraph, as documents without composition's own types and directives. */
interface SchemaDocuments {
  /** For clients: without `@inaccessible` parts. */
  readonly publicDocument: DocumentNode;
  /** For trusted documents: with `@inaccessible` parts. */
  readonly fullDocument: DocumentNode;
}

/**
 * Takes composition's machinery (join, link and the directives of other linked specifications) out of a
 * supergraph. Descriptions, the directives of GraphQL itself and executable directives stay.
 * Source: Apollo's specifications `link`, `join` and `inaccessible` v0.2, section "Inaccessible elements".
 */
export function readSchemaDocuments(supergraph: DocumentNode, specs: LinkedSpecs): SchemaDocuments {
  const hidden = new Set(
    supergraph.definitions.flatMap((node) =>
      isTypeDefinition(node) && hasDirective(node, specs.inaccessible) ? [node.name.value] : [],
    ),
  );
  return {
    publicDocument: strip(supergraph, specs, hidden, true),
    fullDocument: strip(supergraph, specs, new Set(), false),
  };
}
