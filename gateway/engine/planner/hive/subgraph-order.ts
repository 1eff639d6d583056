import { type ArgumentNode, type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { argumentOf } from '../../supergraph/directives.ts';
import { SPLIT } from './split-requires.ts';

/** Sorts after every letter and digit. */
const LAST = '~';

/** Ids, in `join__Graph`, of subgraphs with interface objects. */
function graphsWithInterfaceObjects(document: DocumentNode): Set<string> {
  const ids = new Set<string>();
  visit(document, {
    Directive(node) {
      const flag = argumentOf(node, 'isInterfaceObject');
      const graph = argumentOf(node, 'graph');
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
  const renamed = (node: ArgumentNode): ArgumentNode | undefined => {
    const { value } = node;
    return value.kind === Kind.STRING && names.has(value.value)
      ? { ...node, value: { ...value, value: LAST + value.value } }
      : undefined;
  };
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

/** Removes the suffixes that `sortInterfaceObjectsLast` and `splitRequires` add to a subgraph's name. */
export function ownName(name: string): string {
  const start = name.startsWith(LAST) ? LAST.length : 0;
  const end = name.endsWith(SPLIT) ? name.length - SPLIT.length : name.length;
  return name.slice(start, end);
}

/**
 * Names the subgraphs so that those with interface objects come last. The planner takes subgraphs in the order of their
 * names; when it meets an interface object before the interface, it finds no way to fields of a type (Hive Router
 * 0.0.38). `ownName` restores the names.
 */
export function sortInterfaceObjectsLast(supergraphSdl: string): string {
  const document = parse(supergraphSdl, { noLocation: true });
  const names = graphNames(document, graphsWithInterfaceObjects(document));
  return names.size === 0 ? supergraphSdl : print(rename(document, names));
}
