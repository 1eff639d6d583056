import {
  BREAK,
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import type { CostWeights } from './cost.ts';

/** Limits of one operation. */
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

/** Limits of a public request. */
export interface OperationLimits extends DocumentLimits {
  /** Most objects that it may read, as cost.ts counts them; 10,000 by default. */
  readonly cost: number;
  /** Extra cost of large scalars and of fields whose objects are expensive to read. Default: none. */
  readonly weights?: CostWeights;
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
  /** Levels below a field of introspection. */
  introspection: number;
  /** Levels of fragments, inline ones and spreads. */
  fragments: number;
  /** Fields of the selection itself, without those below. */
  fields: number;
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Measures of fragments; `null` while a fragment is measured, so that a cycle ends. Validation reports cycles. */
type Known = Map<string, Measures | null>;

/**
 * Most selections of one response key in one place, fragments expanded: validation compares each of them with each other
 * to see whether they can be merged.
 */
const MOST_OF_ONE_KEY = 50;
/** Longest name, in characters: for an unknown name, validation searches for similar ones. */
const LONGEST_NAME = 256;

const NOTHING: Measures = { depth: 0, aliases: 0, introspection: 0, fragments: 0, fields: 0 };

/**
 * Most levels below a field of introspection, independent of the configured limits, because introspection is answered
 * by recursion. Tools use about 20.
 */
const MOST_INTROSPECTION_LEVELS = 100;

/** Most levels of fragments in each other, independent of the configured limits: fields are collected by recursion, too. */
const MOST_FRAGMENT_LEVELS = 200;

/**
 * Most levels of fields of an operation without limits, because operations and answers are processed by recursion.
 * Introspection does not count.
 */
const MOST_LEVELS = 40;
const ONLY_DEPTH: DocumentLimits = {
  depth: MOST_LEVELS,
  aliases: Number.POSITIVE_INFINITY,
  rootFields: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
};

function fragmentsOf(document: DocumentNode): Fragments {
  return new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
}

/** Checks the depth of a document that has no limits. */
export function checkDepth(document: DocumentNode): GraphQLError[] {
  return checkOperations(document, fragmentsOf(document), ONLY_DEPTH);
}

function checkOperations(
  document: DocumentNode,
  fragments: Fragments,
  limits: DocumentLimits,
): GraphQLError[] {
  return document.definitions
    .filter((node): node is OperationDefinitionNode => node.kind === Kind.OPERATION_DEFINITION)
    .flatMap(({ selectionSet }) => checkMeasures(measure(selectionSet, fragments, new Map()), limits));
}

/**
 * Checks every operation of a parsed document, before validation: validating a hostile document is itself costly.
 * Each fragment is measured once, however often it is spread.
 */
export function checkDocument(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  const fragments = fragmentsOf(document);
  const exceeded = checkOperations(document, fragments, limits);
  return exceeded.length > 0 ? exceeded : checkNames(document, fragments);
}

/** Limits of the parts that make validation expensive. They apply in addition to the configured limits. */
function checkNames(document: DocumentNode, fragments: Fragments): GraphQLError[] {
  let issue: string | undefined;
  visit(document, {
    Name({ value }) {
      if (value.length > LONGEST_NAME) {
        issue = `A name has ${value.length} characters; at most ${LONGEST_NAME} are allowed.`;
        return BREAK;
      }
      return undefined;
    },
    SelectionSet(selection) {
      const most = Math.max(0, ...countKeys(selection, fragments, new Map(), new Set()).values());
      if (most > MOST_OF_ONE_KEY) {
        issue = `A field is selected ${most} times in one place; at most ${MOST_OF_ONE_KEY} are allowed.`;
        return BREAK;
      }
      return undefined;
    },
  });
  return issue === undefined
    ? []
    : [new GraphQLError(issue, { extensions: { code: 'OPERATION_TOO_LARGE' } })];
}

function countKeys(
  selection: SelectionSetNode,
  fragments: Fragments,
  counts: Map<string, number>,
  spread: Set<string>,
): Map<string, number> {
  for (const node of selection.selections) {
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    } else if (node.kind === Kind.INLINE_FRAGMENT) {
      countKeys(node.selectionSet, fragments, counts, spread);
    } else if (!spread.has(node.name.value)) {
      spread.add(node.name.value);
      const fragment = fragments.get(node.name.value);
      if (fragment) {
        countKeys(fragment.selectionSet, fragments, counts, spread);
      }
    }
  }
  return counts;
}

function checkMeasures(measures: Measures, limits: DocumentLimits): GraphQLError[] {
  const { depth, aliases, introspection, fragments, fields } = measures;
  return [
    ...over('DEPTH_LIMIT_EXCEEDED', 'levels of fields', depth, limits.depth),
    ...over('DEPTH_LIMIT_EXCEEDED', 'levels of introspection', introspection, MOST_INTROSPECTION_LEVELS),
    ...over('DEPTH_LIMIT_EXCEEDED', 'levels of fragments', fragments, MOST_FRAGMENT_LEVELS),
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
      return inFragment(measureFragment(node.name.value, fragments, known));
    case Kind.INLINE_FRAGMENT:
      return inFragment(measure(node.selectionSet, fragments, known));
    case Kind.FIELD: {
      const below = node.selectionSet ? measure(node.selectionSet, fragments, known) : NOTHING;
      const introspection = node.name.value.startsWith('__');
      return {
        depth: introspection ? 1 : below.depth + 1,
        aliases: below.aliases + (node.alias ? 1 : 0),
        introspection: introspection ? below.depth : below.introspection,
        fragments: below.fragments,
        fields: 1,
      };
    }
  }
}

function inFragment(measures: Measures): Measures {
  return { ...measures, fragments: measures.fragments + 1 };
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
  return {
    depth: Math.max(a.depth, b.depth),
    aliases: a.aliases + b.aliases,
    introspection: Math.max(a.introspection, b.introspection),
    fragments: Math.max(a.fragments, b.fragments),
    fields: a.fields + b.fields,
  };
}
