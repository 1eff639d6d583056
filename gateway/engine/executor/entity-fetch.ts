import type { BatchFetchNode, FetchNode, PlanPath } from '../planner/plan.ts';
import type { SubgraphResponse } from '../transports/transport.ts';
import { createEntityErrors, type EntityFetch, isEntity, reportAnswer } from './entity-errors.ts';
import {
  collectRepresentations,
  compileEntityInput,
  type EntityBatch,
  type EntityInput,
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

/** The entities of an answer, when there is one for each reference; `null` otherwise. */
function readEntities(
  data: SubgraphResponse['data'],
  { alias }: EntityInput,
  wanted: number,
): readonly unknown[] | null {
  const entities = data?.[alias] ?? null;
  if (wanted === 0) {
    return [];
  }
  return Array.isArray(entities) && entities.length === wanted ? entities : null;
}

function createEntityHandler(fetch: EntityFetch, batches: readonly EntityBatch[]): ResponseHandler {
  return {
    response({ data, errors = [] }, state) {
      const answered = fetch.inputs.map((input, number) =>
        readEntities(data, input, batches[number]?.representations.length ?? 0),
      );
      if (errors.length > 0 || !answered.every((entities) => entities?.every(isEntity))) {
        reportAnswer(createEntityErrors(fetch, batches, state), errors, answered);
      }
      for (const [number, input] of fetch.inputs.entries()) {
        const [entities, batch] = [answered[number] ?? null, batches[number]];
        if (entities !== null && batch !== undefined) {
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
    sendAs: node.sendAs,
    renames: node.renames,
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
      sendAs: alias.sendAs,
      renames: alias.renames,
    }),
  );
  return compileEntityFetch(node, plans, deps);
}
