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

/** The options of the planner. */
export interface QueryPlannerOptions {
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

  function plan(request: OperationToPlan): OperationPlan {
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
    const nodes = parts.map((groups): PlanNode | null => {
      const wants = reader.read(groups);
      if (wants.length === 0) {
        return null;
      }
      const spend = () => undefined;
      const builder = new Builder({
        model,
        ways,
        ownWants,
        spend,
        estimator: new Estimator(model, ways, spend),
      });
      builder.build(ROOT_TYPES[operation.operation], wants);
      return arrangement.arrange(builder.groups);
    });
    return { nodes, derived: conditions.derived, fields: writer.fields, characters: written.characters };
  }

  return {
    createKeys: () => createResponseKeys(supergraph.fieldNames),
    async plan(request) {
      // Reading a large document has taken a turn of the event loop already.
      await nextTurn();
      try {
        const made = plan(request);
        if (verify) {
          verifyPlan({ model, exactNumbers, partlyHiddenTypes: supergraph.partlyHiddenTypes }, request, made);
        }
        return made;
      } catch (error) {
        if (error instanceof TooLarge) {
          return failRequest('OPERATION_TOO_LARGE', error.message);
        }
        throw error;
      }
    },
  };
}
