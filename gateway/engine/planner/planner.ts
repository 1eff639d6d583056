import { type PlanNode, QueryPlanner } from '@graphql-hive/router-query-planner';
import { splitRequires } from './split-requires.ts';
import { sortInterfaceObjectsLast } from './subgraph-order.ts';

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

async function planWith(planner: QueryPlanner, document: string): Promise<PlanNode> {
  const { node } = await planner.planAsync(document, null, NO_LABELS, 0);
  if (node === undefined || node === null) {
    throw new Error('The planner made an empty plan.');
  }
  return node;
}

/** A planner that is made when it is first asked for; `null` where there is none. */
function createLater(sdl: () => string | null): () => QueryPlanner | null {
  let made: QueryPlanner | null | undefined;
  return () => {
    if (made === undefined) {
      const text = sdl();
      made = text === null ? null : new QueryPlanner(text);
    }
    return made;
  };
}

/**
 * The planner of Hive Router (a native addon; it plans on the thread pool, not on the event loop). What it cannot plan is
 * tried again with `@requires` taken apart.
 *
 * @throws when the addon refuses the supergraph.
 */
export function createPlanner(supergraphSdl: string): Planner {
  const { sdl, restore } = sortInterfaceObjectsLast(supergraphSdl);
  const planner = new QueryPlanner(sdl);
  const second = createLater(() => splitRequires(sdl));
  return {
    async plan(document) {
      try {
        return restore(await planWith(planner, document));
      } catch (error) {
        const other = second();
        const plan = await (other === null ? null : planWith(other, document).catch(() => null));
        if (plan === null) {
          throw error;
        }
        return restore(plan);
      }
    },
  };
}
