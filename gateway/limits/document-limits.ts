import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';

/** Bounds of what one operation may ask. */
export interface DocumentLimits {
  /** Most levels of fields; 12 by default. Introspection does not count. */
  readonly depth: number;
  /** Most aliases, fragments expanded; 30 by default. */
  readonly aliases: number;
  /** Most fields at the root, fragments expanded; 10 by default. */
  readonly rootFields: number;
  /** Most tokens of the document; 2,000 by default. */
  readonly tokens: number;
}

/** Bounds of a public request. */
export interface OperationLimits extends DocumentLimits {
  /** Most objects that it may read, by the measure of cost.ts; 10,000 by default. */
  readonly cost: number;
}

export const DEFAULT_LIMITS: OperationLimits = {
  depth: 12,
  aliases: 30,
  rootFields: 10,
  tokens: 2_000,
  cost: 10_000,
};

interface Measures {
  depth: number;
  aliases: number;
  /** Fields of the selection itself, not of what is below. */
  fields: number;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** What is known of fragments; `null` while one is being measured, so that a cycle (which validation reports) ends. */
type Known = Map<string, Measures | null>;

const NOTHING: Measures = { depth: 0, aliases: 0, fields: 0 };

/**
 * Checks every operation of a parsed document, before validation: validating a hostile document is itself costly.
 * Each fragment is measured once, however often it is spread.
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  const fragments: Fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  return document.definitions
    .filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
    .flatMap((operation) => checkMeasures(measure(operation.selectionSet, fragments, new Map()), limits));
}

function checkMeasures({ depth, aliases, fields }: Measures, limits: DocumentLimits): GraphQLError[] {
  return [
    ...over('DEPTH_LIMIT_EXCEEDED', 'levels of fields', depth, limits.depth),
    ...over('ALIAS_LIMIT_EXCEEDED', 'aliases', aliases, limits.aliases),
    ...over('ROOT_FIELD_LIMIT_EXCEEDED', 'fields at the root', fields, limits.rootFields),
  ];
}

function over(code: string, what: string, found: number, limit: number): GraphQLError[] {
  const message = `The operation has ${found} ${what}; at most ${limit} are allowed.`;
  return found > limit ? [new GraphQLError(message, { extensions: { code } })] : [];
}

function measure(selection: SelectionSetNode, fragments: Fragments, known: Known): Measures {
  return selection.selections.map((node) => measureNode(node, fragments, known)).reduce(together, NOTHING);
}

function measureNode(
  node: SelectionSetNode['selections'][number],
  fragments: Fragments,
  known: Known,
): Measures {
  switch (node.kind) {
    case Kind.FRAGMENT_SPREAD:
      return measureFragment(node.name.value, fragments, known);
    case Kind.INLINE_FRAGMENT:
      return measure(node.selectionSet, fragments, known);
    case Kind.FIELD: {
      const below = node.selectionSet ? measure(node.selectionSet, fragments, known) : NOTHING;
      const introspection = node.name.value.startsWith('__');
      return {
        depth: introspection ? 1 : below.depth + 1,
        aliases: below.aliases + (node.alias ? 1 : 0),
        fields: 1,
      };
    }
  }
}

function measureFragment(name: string, fragments: Fragments, known: Known): Measures {
  const seen = known.get(name);
  const fragment = fragments.get(name);
  if (seen !== undefined || !fragment) {
    return seen ?? NOTHING;
  }
  known.set(name, null);
  const measures = measure(fragment.selectionSet, fragments, known);
  known.set(name, measures);
  return measures;
}

function together(a: Measures, b: Measures): Measures {
  return { depth: Math.max(a.depth, b.depth), aliases: a.aliases + b.aliases, fields: a.fields + b.fields };
}
