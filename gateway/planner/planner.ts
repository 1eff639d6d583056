import { type PlanNode, QueryPlanner } from '@graphql-hive/router-query-planner';

export type {
  BatchFetchNode,
  EntityBatchAlias,
  FetchNode,
  FetchNodePathSegment,
  FetchRewrite,
  FlattenNode,
  FlattenNodePathSegment,
  InlineFragmentRequiresNode,
  PlanNode,
  RequiresSelection,
  SubscriptionNode,
} from '@graphql-hive/router-query-planner';

/** Turns one operation into steps over subgraphs. */
export interface Planner {
  /**
   * @param document one operation and the fragments that it uses; no introspection, at least one root field that
   *   is not excluded by a literal.
   * @returns the plan's root node.
   * @throws when the operation cannot be planned over this supergraph.
   */
  plan(document: string): Promise<PlanNode>;
}

const NO_LABELS = new Set<string>();

/**
 * The planner of Hive Router (a native addon; it plans on the thread pool, not on the event loop).
 *
 * @throws when the addon refuses the supergraph.
 */
export function createPlanner(supergraphSdl: string): Planner {
  const planner = new QueryPlanner(supergraphSdl);
  return {
    async plan(document) {
      const { node } = await planner.planAsync(document, null, NO_LABELS, 0);
      if (node === undefined || node === null) {
        throw new Error('The planner made an empty plan.');
      }
      return node;
    },
  };
}
