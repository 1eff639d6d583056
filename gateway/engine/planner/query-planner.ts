import { setImmediate as nextTurn } from 'node:timers/promises';
import { isInputType, print, typeFromAST, type VariableDefinitionNode } from 'graphql';
import { failRequest } from '../request-error.ts';
import type { ScalarInput } from '../supergraph/scalar-inputs.ts';
import type { Supergraph } from '../supergraph/supergraph.ts';
import { Arrangement } from './arrange.ts';
import { Builder } from './builder.ts';
import { createConditionWriter, TooLarge } from './conditions.ts';
import { DocumentWriter } from './documents.ts';
import { Estimator } from './estimate.ts';
import { createExactNumbers, type ExactNumbers } from './exact-numbers.ts';
import { Model } from './model.ts';
import { OwnWants } from './own-wants.ts';
import type { PlanNode } from './plan.ts';
import type { OperationPlan, OperationToPlan, Planner } from './planner.ts';
import { createResponseKeys } from './response-keys.ts';
import { verifyPlan } from './verify.ts';
import { WantReader } from './wants.ts';
import { Ways } from './ways.ts';

interface QueryPlannerOptions {
  readonly supergraph: Pick<Supergraph, 'document' | 'fieldNames' | 'partlyHiddenTypes'>;
  /** Number literals of those with `numbersAsText` are sent as strings. */
  readonly scalars?: readonly ScalarInput[];
  /** Whether each plan is proved right (`verify.ts`) before it is used. Default: it is not. */
  readonly verify?: boolean | undefined;
}

const ROOT_TYPES = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

/** Definitions of the operation's variables, and of those that the plan adds. */
function createVariableWriter({ operation, context }: OperationToPlan, exactNumbers: ExactNumbers) {
  const write = (node: VariableDefinitionNode): string => {
    const type = typeFromAST(context.schema, node.type as never);
    const value = node.defaultValue;
    const exact =
      value === undefined ? undefined : exactNumbers.value(value, isInputType(type) ? type : undefined);
    return `$${node.variable.name.value}:${print(node.type)}${exact === undefined ? '' : `=${print(exact)}`}`;
  };
  const own = new Map(
    (operation.variableDefinitions ?? []).map((node) => [node.variable.name.value, write(node)]),
  );
  return (names: ReadonlySet<string>) =>
    [...names].map((name) => own.get(name) ?? `$${name}:Boolean!`).join(' ');
}

/** Thrown for an operation whose planning takes too much work. */
class TooComplex extends Error {}

/**
 * Most work for one operation: fields placed, and fields estimated on one of several ways. 5,000 fields with one way each take
 * 5,000.
 */
const MOST_WORK = 20_000;

function createBudget(): () => void {
  let spent = 0;
  return () => {
    spent += 1;
    if (spent > MOST_WORK) {
      throw new TooComplex('The operation takes too much work to plan.');
    }
  };
}

/**
 * The planner: see README.md.
 *
 * @throws when the supergraph uses what the planner does not support.
 */
export function createQueryPlanner({
  supergraph,
  scalars = [],
  verify = false,
}: QueryPlannerOptions): Planner {
  const model = new Model(supergraph.document);
  const ways = new Ways(model);
  const ownWants = new OwnWants(model);
  const exact = new Set(scalars.flatMap(({ type, numbersAsText }) => (numbersAsText ? [type.name] : [])));
  const exactNumbers = createExactNumbers(exact);

  async function plan(request: OperationToPlan): Promise<OperationPlan> {
    const { operation, context, parts } = request;
    const taken = new Set(operation.variableDefinitions?.map((node) => node.variable.name.value));
    const conditions = createConditionWriter(taken);
    const reader = new WantReader(context, {
      conditions,
      exactNumbers,
      partlyHiddenTypes: supergraph.partlyHiddenTypes,
    });
    const written = { characters: 0 };
    const writer = new DocumentWriter(model, conditions);
    const defineVariables = createVariableWriter(request, exactNumbers);
    const arrangement = new Arrangement({ model, conditions, writer, operation, defineVariables, written });
    const spend = createBudget();
    const nodes: (PlanNode | null)[] = [];
    for (const groups of parts) {
      // Each step has a turn of the event loop of its own.
      await nextTurn();
      const wants = reader.read(groups);
      await nextTurn();
      const estimator = new Estimator(model, ways, spend);
      const builder = new Builder({ model, ways, ownWants, spend, estimator });
      builder.build(ROOT_TYPES[operation.operation], wants);
      await nextTurn();
      nodes.push(wants.length === 0 ? null : arrangement.arrange(builder.groups));
    }
    return { nodes, derived: conditions.derived, fields: writer.fields, characters: written.characters };
  }

  return {
    createKeys: () => createResponseKeys(supergraph.fieldNames),
    async plan(request) {
      try {
        const made = await plan(request);
        if (verify) {
          await nextTurn();
          verifyPlan({ model, exactNumbers, partlyHiddenTypes: supergraph.partlyHiddenTypes }, request, made);
        }
        return made;
      } catch (error) {
        if (error instanceof TooLarge) {
          return failRequest('OPERATION_TOO_LARGE', error.message);
        }
        if (error instanceof TooComplex) {
          return failRequest('OPERATION_TOO_COMPLEX', error.message);
        }
        throw error;
      }
    },
  };
}
