import type { OperationDefinitionNode } from 'graphql';
import type { DerivedCondition } from '../conditions.ts';
import type { FieldGroup, OperationContext } from '../operation/collect-fields.ts';
import type { ResponseKeys } from '../operation/response-keys.ts';
import type { RequestFailure } from '../request-error.ts';
import type { PlanNode } from './plan.ts';

/** A valid operation to plan. */
export interface OperationToPlan {
  readonly operation: OperationDefinitionNode;
  /** Its schema, its fragments, and the keys that `createKeys` made for it. */
  readonly context: OperationContext;
  /** Variables that `@skip` and `@include` use. */
  readonly conditionVariables: readonly string[];
  /**
   * Its root fields, without introspection and `__typename`. Each part has a plan of its own: a mutation has one part
   * for each root field, since one must be complete before the next begins. Other operations have one part, or none.
   */
  readonly parts: readonly (readonly FieldGroup[])[];
}

/** The plans of an operation. */
export interface OperationPlan {
  /** The plan of each part; `null` for a part that no request selects. */
  readonly nodes: readonly (PlanNode | null)[];
  /** Boolean variables that the plan uses besides the client's. The engine works out their values for each request. */
  readonly derived: readonly DerivedCondition[];
  /** How many fields the plan's documents select, fragments written out. */
  readonly fields: number;
  /** How many characters the planned documents have. The engine estimates the operation's memory by both numbers. */
  readonly characters: number;
}

/** Turns operations over one supergraph into plans. */
export interface Planner {
  /** Makes the keys under which the plan of one operation holds its values. Called once for each operation. */
  createKeys(): ResponseKeys;
  /**
   * Plans an operation. Resolves to a failure, which the client sees, when the operation must not run.
   * Rejects when the operation cannot be planned over this supergraph.
   */
  plan(operation: OperationToPlan): Promise<OperationPlan | RequestFailure>;
}
