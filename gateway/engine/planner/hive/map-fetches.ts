import type { BatchFetchNode, FetchNode, PlanNode, PlanPath } from '../plan.ts';

/** The place of a fetch in a plan. */
export interface FetchPlace {
  /** The entities that it fetches; `null` for a fetch of root fields. */
  readonly path: PlanPath | null;
  /** Variables that already decide whether the fetch is made. */
  readonly decided: ReadonlySet<string>;
}

/** Maps the fetches of a plan. */
export interface FetchMap {
  fetch(node: FetchNode, place: FetchPlace): FetchNode;
  batch(node: BatchFetchNode, place: FetchPlace): BatchFetchNode;
}

const ROOT: FetchPlace = { path: null, decided: new Set() };

/** The same plan with other fetches. */
export function mapFetches(node: PlanNode, map: FetchMap, place = ROOT): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { ...node, nodes: node.nodes.map((child) => mapFetches(child, map, place)) };
    case 'Condition': {
      const { condition, ifClause, elseClause } = node;
      const inner = { ...place, decided: new Set([...place.decided, condition]) };
      return {
        ...node,
        ...(ifClause ? { ifClause: mapFetches(ifClause, map, inner) } : {}),
        ...(elseClause ? { elseClause: mapFetches(elseClause, map, inner) } : {}),
      };
    }
    case 'Flatten':
      return { ...node, node: mapFetches(node.node, map, { ...place, path: node.path }) };
    case 'Fetch':
      return map.fetch(node, place);
    case 'BatchFetch':
      return map.batch(node, place);
    case 'Subscription':
      return { ...node, primary: map.fetch(node.primary, place) };
  }
}
