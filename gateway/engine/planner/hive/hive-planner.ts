import { type PlanNode as HiveNode, QueryPlanner } from '@graphql-hive/router-query-planner';
import { print } from 'graphql';
import type { ScalarInput } from '../../supergraph/scalar-inputs.ts';
import type { Supergraph } from '../../supergraph/supergraph.ts';
import type { PlanNode } from '../plan.ts';
import type { Planner } from '../planner.ts';
import { withExactNumbers } from './exact-numbers.ts';
import { toNormalForm } from './normal-form.ts';
import { readPlan } from './read-plan.ts';
import { createResponseKeys } from './response-keys.ts';
import { restoreConditions } from './restore-conditions.ts';
import { splitRequires } from './split-requires.ts';
import { sortInterfaceObjectsLast } from './subgraph-order.ts';

/** The options of Hive's planner. */
export interface HivePlannerOptions {
  readonly supergraphSdl: string;
  /** The same supergraph, parsed. */
  readonly supergraph: Pick<Supergraph, 'types' | 'fieldNames' | 'partlyHiddenTypes' | 'interfaceObjectKeys'>;
  /** Number literals of those with `numbersAsText` are planned as strings. */
  readonly scalars?: readonly ScalarInput[];
}

const NO_LABELS = new Set<string>();

async function planWith(planner: QueryPlanner, document: string): Promise<HiveNode> {
  const { node } = await planner.planAsync(document, null, NO_LABELS, 0);
  if (node === undefined || node === null) {
    throw new Error('The planner made an empty plan.');
  }
  return node;
}

/** Plans documents. What the planner cannot plan is tried again with `@requires` in subgraphs of their own. */
function createDocumentPlanner(sdl: string): (document: string) => Promise<HiveNode> {
  const planner = new QueryPlanner(sdl);
  let second: QueryPlanner | null | undefined;
  function secondPlanner(): QueryPlanner | null {
    if (second === undefined) {
      const split = splitRequires(sdl);
      second = split === null ? null : new QueryPlanner(split);
    }
    return second;
  }
  return async (document) => {
    try {
      return await planWith(planner, document);
    } catch (error) {
      const other = secondPlanner();
      const plan = await (other === null ? null : planWith(other, document).catch(() => null));
      if (plan === null) {
        throw error;
      }
      return plan;
    }
  };
}

/**
 * The planner of Hive Router, a native addon that plans on the thread pool, not on the event loop. All that its quirks
 * need is in this folder.
 *
 * @throws when the addon rejects the supergraph.
 */
export function createHivePlanner({ supergraphSdl, supergraph, scalars = [] }: HivePlannerOptions): Planner {
  const planDocument = createDocumentPlanner(sortInterfaceObjectsLast(supergraphSdl));
  const exact = new Set(scalars.flatMap(({ type, numbersAsText }) => (numbersAsText ? [type.name] : [])));
  return {
    createKeys: () => createResponseKeys(supergraph.fieldNames),
    async plan(request) {
      const normal = toNormalForm(request, supergraph);
      if ('errors' in normal) {
        return normal;
      }
      let characters = 0;
      const nodes = normal.operations.map(async (operation): Promise<PlanNode | null> => {
        if (operation === null) {
          return null;
        }
        const document = print(withExactNumbers(operation, request.context.schema, exact));
        characters += document.length;
        return restoreConditions(operation, readPlan(await planDocument(document), supergraph.types));
      });
      return { nodes: await Promise.all(nodes), derived: normal.derived, fields: normal.fields, characters };
    },
  };
}
