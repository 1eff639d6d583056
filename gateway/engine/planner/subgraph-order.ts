import type { PlanNode } from '@graphql-hive/router-query-planner';
import {
  type ArgumentNode,
  type ConstDirectiveNode,
  type DocumentNode,
  Kind,
  parse,
  print,
  type StringValueNode,
  visit,
} from 'graphql';
import { argumentOf } from './directives.ts';
import { SPLIT } from './split-requires.ts';

/** A supergraph in which subgraphs may have other names. */
export interface ReorderedSupergraph {
  readonly sdl: string;
  /** The same plan with the subgraphs' own names; also for one over what `splitRequires` makes of it. */
  restore(plan: PlanNode): PlanNode;
}

/** Sorts behind every letter and digit. */
const LAST = '~';

/** Ids, in `join__Graph`, of subgraphs with interface objects. */
function graphsWithInterfaceObjects(document: DocumentNode): Set<string> {
  const ids = new Set<string>();
  visit(document, {
    Directive(node) {
      const flag = argumentOf(node as ConstDirectiveNode, 'isInterfaceObject');
      const graph = argumentOf(node as ConstDirectiveNode, 'graph');
      if (flag?.kind === Kind.BOOLEAN && flag.value && graph?.kind === Kind.ENUM) {
        ids.add(graph.value);
      }
    },
  });
  return ids;
}

function graphNames(document: DocumentNode, ids: ReadonlySet<string>): Set<string> {
  const names = new Set<string>();
  visit(document, {
    EnumValueDefinition(node) {
      const directive = node.directives?.find(({ name }) => name.value === 'join__graph');
      const name = directive === undefined ? undefined : argumentOf(directive, 'name');
      if (ids.has(node.name.value) && name?.kind === Kind.STRING) {
        names.add(name.value);
      }
    },
  });
  return names;
}

function rename(document: DocumentNode, names: ReadonlySet<string>): DocumentNode {
  const renamed = (node: ArgumentNode): ArgumentNode | undefined =>
    node.value.kind === Kind.STRING && names.has(node.value.value)
      ? { ...node, value: { ...(node.value as StringValueNode), value: LAST + node.value.value } }
      : undefined;
  const isName = (directive: string, argument: string): boolean =>
    (directive === 'join__graph' && argument === 'name') ||
    (directive === 'join__field' && argument === 'override');
  return visit(document, {
    Directive: (node) => ({
      ...node,
      arguments: node.arguments?.map((argument) =>
        isName(node.name.value, argument.name.value) ? (renamed(argument) ?? argument) : argument,
      ),
    }),
  });
}

function withOwnNames<T extends { readonly serviceName: string }>(fetch: T): T {
  const { serviceName } = fetch;
  const start = serviceName.startsWith(LAST) ? LAST.length : 0;
  const end = serviceName.endsWith(SPLIT) ? serviceName.length - SPLIT.length : serviceName.length;
  return end - start === serviceName.length
    ? fetch
    : { ...fetch, serviceName: serviceName.slice(start, end) };
}

function restore(node: PlanNode): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { ...node, nodes: node.nodes.map(restore) };
    case 'Condition': {
      const { ifClause, elseClause } = node;
      return {
        ...node,
        ...(ifClause ? { ifClause: restore(ifClause) } : {}),
        ...(elseClause ? { elseClause: restore(elseClause) } : {}),
      };
    }
    case 'Flatten':
      return { ...node, node: restore(node.node) };
    case 'Fetch':
    case 'BatchFetch':
      return withOwnNames(node);
    case 'Subscription':
      return { ...node, primary: withOwnNames(node.primary) };
    default:
      return node;
  }
}

/**
 * Names the subgraphs so that those with interface objects are the last: the planner takes subgraphs in the order of their
 * names, and finds no way from an interface object to fields of a type when it meets the object before the interface
 * (Hive Router 0.0.38).
 */
export function sortInterfaceObjectsLast(supergraphSdl: string): ReorderedSupergraph {
  const document = parse(supergraphSdl, { noLocation: true });
  const names = graphNames(document, graphsWithInterfaceObjects(document));
  return { sdl: names.size === 0 ? supergraphSdl : print(rename(document, names)), restore };
}
