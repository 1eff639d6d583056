import type { mongo } from 'mongoose';
import { isRecord } from '../../../../subgraphs/kernel/objects.ts';

/** A stage of a plan that reads or orders documents. */
export interface PlanStage {
  readonly stage: string;
  /** Of `IXSCAN`. */
  readonly indexName: string | undefined;
  /** Of `SORT`: the number of documents that it keeps. */
  readonly limit: number | undefined;
}

/** The stages of the winning plans of an `explain`: of one server, of each shard, and of an aggregate's first part. */
export function stagesOf(explained: mongo.Document): PlanStage[] {
  return plansOf(explained).flatMap(stagesBelow);
}

/** Looks for every `winningPlan`, but not among rejected ones. */
function plansOf(value: unknown): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap(plansOf);
  }
  if (!isRecord(value)) {
    return [];
  }
  return Object.entries(value).flatMap(([name, part]) => (name === 'winningPlan' ? [part] : plansOf(part)));
}

/** A plan is nested: `inputStage`, `inputStages`, `queryPlan` of the slot-based engine, `shards` of a router. */
function stagesBelow(value: unknown): PlanStage[] {
  if (Array.isArray(value)) {
    return value.flatMap(stagesBelow);
  }
  if (!isRecord(value)) {
    return [];
  }
  const { stage, indexName, limitAmount } = value;
  const own =
    typeof stage === 'string'
      ? [
          {
            stage,
            indexName: typeof indexName === 'string' ? indexName : undefined,
            limit: limitAmount === undefined ? undefined : Number(limitAmount),
          },
        ]
      : [];
  const nested = Object.entries(value).filter(
    ([name]) => name !== 'rejectedPlans' && name !== 'slotBasedPlan',
  );
  return [...own, ...nested.flatMap(([, part]) => stagesBelow(part))];
}
