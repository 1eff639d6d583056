import { Kind, print } from 'graphql';
import { CLIENT_KEYS } from '../operation/response-keys.ts';
import type { PlanNode } from '../planner/plan.ts';
import type { OperationToPlan, Planner } from '../planner/planner.ts';

/** The text of an operation with its fragments. */
function textOf({ operation, context }: OperationToPlan): string {
  return print({ kind: Kind.DOCUMENT, definitions: [operation, ...context.fragments.values()] });
}

/** A planner that maps each operation's text to the plan of the test. */
export function planBy(makePlan: (document: string) => PlanNode | Promise<PlanNode>): Planner {
  return {
    createKeys: () => CLIENT_KEYS,
    async plan(operation) {
      const document = textOf(operation);
      return { nodes: [await makePlan(document)], derived: [], fields: 1, characters: document.length };
    },
  };
}
