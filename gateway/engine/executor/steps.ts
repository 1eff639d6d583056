import type { ConditionValues } from '../conditions.ts';
import type { PlanNode } from '../planner/plan.ts';
import { compileBatchFetch, compileFlatten } from './entity-fetch.ts';
import { compileRootFetch, type FetchDeps } from './fetch.ts';
import { compileNestedRootFetch } from './nested-root-fetch.ts';
import type { ExecutionState, Step } from './state.ts';

/** Runs the steps one after the other. */
export function inSequence(steps: readonly Step[]): Step {
  const [only] = steps;
  if (only !== undefined && steps.length === 1) {
    return only;
  }
  const runFrom = (start: number, state: ExecutionState): Promise<void> | undefined => {
    for (let index = start; index < steps.length; index++) {
      const pending = steps[index]?.(state);
      if (pending !== undefined) {
        return pending.then(() => runFrom(index + 1, state));
      }
    }
    return undefined;
  };
  return (state) => runFrom(0, state);
}

/** Runs the steps that a request needs one after the other, in the order that its conditions require. */
export function inOrder(steps: readonly Step[], order: (values: ConditionValues) => readonly number[]): Step {
  return (state) => inSequence(order(state.conditions).flatMap((index) => steps[index] ?? []))(state);
}

/** Runs the steps at the same time. */
export function inParallel(steps: readonly Step[]): Step {
  const [only] = steps;
  if (only !== undefined && steps.length === 1) {
    return only;
  }
  return (state) => {
    const pending: Promise<void>[] = [];
    for (const step of steps) {
      const promise = step(state);
      if (promise !== undefined) {
        pending.push(promise);
      }
    }
    if (pending.length < 2) {
      return pending[0];
    }
    return Promise.all(pending).then(() => undefined);
  };
}

/** Compiles an optional part of a plan. */
export function compileOptional(node: PlanNode | null | undefined, deps: FetchDeps): Step {
  return node === null || node === undefined ? () => undefined : compileSteps(node, deps);
}

/**
 * Compiles a plan into one function.
 *
 * @throws for a subscription below the root.
 */
export function compileSteps(node: PlanNode, deps: FetchDeps): Step {
  switch (node.kind) {
    case 'Sequence':
      return inSequence(node.nodes.map((child) => compileSteps(child, deps)));
    case 'Parallel':
      return inParallel(node.nodes.map((child) => compileSteps(child, deps)));
    case 'Fetch':
      return compileRootFetch(node, deps);
    case 'BatchFetch':
      return compileBatchFetch(node, deps);
    case 'Flatten':
      if (node.node.kind !== 'Fetch') {
        throw new Error(`A plan flattens a ${node.node.kind} node, which is not supported.`);
      }
      return node.node.requires === undefined
        ? compileNestedRootFetch(node.path, node.node, deps)
        : compileFlatten(node.path, node.node, deps);
    case 'Condition': {
      const { condition } = node;
      const whenTrue = compileOptional(node.ifClause, deps);
      const whenFalse = compileOptional(node.elseClause, deps);
      return (state) => (state.conditions[condition] === true ? whenTrue(state) : whenFalse(state));
    }
    case 'Subscription':
      throw new Error(`A plan has a ${node.kind} node where it is not supported.`);
  }
}
