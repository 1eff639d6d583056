import type {
  PlanNode as HiveNode,
  FetchRewrite as HiveRewrite,
  RequiresSelection as HiveSelection,
} from '@graphql-hive/router-query-planner';
import type { TypeIndex } from '../../supergraph/supergraph.ts';
import type { FetchNode, FetchRewrite, PlanNode, RequiresSelection } from '../plan.ts';
import { ownName } from './subgraph-order.ts';
import { widenToInterfaceObjects } from './widen-requires.ts';

type Types = Pick<TypeIndex, 'satisfies'>;

/** Hive writes a value setter in two forms. */
function readRewrite(rewrite: HiveRewrite): FetchRewrite {
  return 'setValueTo' in rewrite ? { ValueSetter: rewrite } : rewrite;
}

function readSelection(selection: HiveSelection): RequiresSelection {
  if (selection.kind === 'FragmentSpread') {
    throw new Error(`A plan requires the fragment ${selection.value}, which it does not define.`);
  }
  const selections = (selection.selections ?? []).map(readSelection);
  if (selection.kind === 'Field') {
    return { kind: 'Field', name: selection.name, alias: selection.alias ?? undefined, selections };
  }
  const { typeCondition, skipIf, includeIf } = selection;
  return {
    kind: 'InlineFragment',
    typeCondition,
    selections,
    skipIf: skipIf ?? undefined,
    includeIf: includeIf ?? undefined,
  };
}

/** The addon also writes null for absent values. */
interface HiveEntities {
  readonly requires?: HiveSelection[] | null;
  readonly inputRewrites?: HiveRewrite[] | null;
  readonly outputRewrites?: HiveRewrite[] | null;
}

function readEntities({ requires, inputRewrites, outputRewrites }: HiveEntities, types: Types) {
  const rewrites = (inputRewrites ?? []).map(readRewrite);
  return {
    requires: widenToInterfaceObjects((requires ?? []).map(readSelection), rewrites, types),
    inputRewrites: rewrites,
    outputRewrites: (outputRewrites ?? []).map(readRewrite),
  };
}

function readFetch(node: Extract<HiveNode, { kind: 'Fetch' }>, types: Types): FetchNode {
  return { ...node, ...readEntities(node, types), serviceName: ownName(node.serviceName) };
}

/**
 * Reads a plan of Hive's planner: subgraphs get their own names back, requirements are widened to interface objects.
 *
 * @throws for features that the engine does not support: `@defer`, and fragments that the plan does not define.
 */
export function readPlan(node: HiveNode, types: Types): PlanNode {
  switch (node.kind) {
    case 'Sequence':
    case 'Parallel':
      return { kind: node.kind, nodes: node.nodes.map((child) => readPlan(child, types)) };
    case 'Condition':
      return {
        kind: 'Condition',
        condition: node.condition,
        ifClause: node.ifClause ? readPlan(node.ifClause, types) : undefined,
        elseClause: node.elseClause ? readPlan(node.elseClause, types) : undefined,
      };
    case 'Flatten':
      return { kind: 'Flatten', path: node.path, node: readPlan(node.node, types) };
    case 'Fetch':
      return readFetch(node, types);
    case 'BatchFetch':
      return {
        ...node,
        serviceName: ownName(node.serviceName),
        entityBatch: {
          aliases: node.entityBatch.aliases.map((alias) => ({ ...alias, ...readEntities(alias, types) })),
        },
      };
    case 'Subscription':
      return { kind: 'Subscription', primary: readFetch(node.primary, types) };
    case 'Defer':
      throw new Error('A plan has a Defer node, which is not supported.');
  }
}
