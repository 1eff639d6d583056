import type { BatchFetchNode, FetchNode, PlanPath } from '../planner/plan.ts';
import { createEntityErrors, type EntityFetch } from './entity-errors.ts';
import {
  collectRepresentations,
  compileEntityInput,
  type EntityBatch,
  type EntityInputPlan,
  mergeEntities,
} from './entity-input.ts';
import {
  bindFetch,
  type FetchDeps,
  type FetchDescription,
  fetchVariables,
  type ResponseHandler,
  send,
} from './fetch.ts';
import type { Step } from './state.ts';

function createEntityHandler(fetch: EntityFetch, batches: readonly EntityBatch[]): ResponseHandler {
  return {
    response({ data, errors }, state) {
      if (errors !== undefined && errors.length > 0) {
        const report = createEntityErrors(fetch, batches, state);
        for (const error of errors) {
          report.report(error, data);
        }
      }
      for (const [number, input] of fetch.inputs.entries()) {
        const entities = data?.[input.alias];
        const batch = batches[number];
        if (Array.isArray(entities) && batch !== undefined) {
          mergeEntities(input, batch, entities, fetch.deps.merge);
        }
      }
    },
    failure(error, state) {
      createEntityErrors(fetch, batches, state).fail(error);
    },
  };
}

function compileEntityFetch(
  node: FetchDescription,
  plans: readonly EntityInputPlan[],
  deps: FetchDeps,
): Step {
  const bound = bindFetch(node, deps);
  const inputs = plans.map((plan) => compileEntityInput(plan, node.serviceName, deps.types));
  const fetch: EntityFetch = { bound, inputs, deps };
  return (state) => {
    const variables = fetchVariables(bound.variableUsages, state);
    let wanted = 0;
    const batches = inputs.map((input) => {
      const batch = collectRepresentations(input, state.data, state.conditions);
      variables[input.variable] = batch.representations;
      wanted += batch.representations.length;
      return batch;
    });
    return wanted === 0 ? undefined : send(bound, variables, state, createEntityHandler(fetch, batches));
  };
}

/** Compiles a fetch of the fields that one subgraph has of the entities at `path`. */
export function compileFlatten(path: PlanPath, node: FetchNode, deps: FetchDeps): Step {
  const plan: EntityInputPlan = {
    alias: '_entities',
    variable: 'representations',
    paths: [path],
    requires: node.requires ?? [],
    inputRewrites: node.inputRewrites,
    outputRewrites: node.outputRewrites,
  };
  return compileEntityFetch(node, [plan], deps);
}

/** Compiles several such fetches that go to one subgraph in one document. */
export function compileBatchFetch(node: BatchFetchNode, deps: FetchDeps): Step {
  const plans = node.entityBatch.aliases.map(
    (alias): EntityInputPlan => ({
      alias: alias.alias,
      variable: alias.representationsVariableName,
      paths: alias.paths,
      requires: alias.requires,
      inputRewrites: alias.inputRewrites,
      outputRewrites: alias.outputRewrites,
    }),
  );
  return compileEntityFetch(node, plans, deps);
}
