import type { FetchNode, PlanPath } from '../planner/plan.ts';
import type { SubgraphError } from '../transports/transport.ts';
import {
  bindFetch,
  type FetchDeps,
  fetchVariables,
  type ResponseHandler,
  send,
  toClientPath,
  toPlanPath,
} from './fetch.ts';
import { compileLocation } from './locations.ts';
import { copyData } from './merge.ts';
import { compileRenames, renamedKeys } from './rewrites.ts';
import { addErrors, type DataObject, type ExecutionState, type Path, type Step } from './state.ts';

interface Found {
  readonly targets: readonly DataObject[];
  /** Where they are, in client keys. */
  readonly places: readonly Path[];
  /** The same, in the plan's keys. */
  readonly planPlaces: readonly Path[];
}

/**
 * Compiles a fetch of root fields for objects inside the data: a payload may have a field of the type `Query`, and its
 * fields may be of several subgraphs. The fields are fetched once, and added to every object at `path`.
 */
export function compileNestedRootFetch(path: PlanPath, node: FetchNode, deps: FetchDeps): Step {
  const bound = bindFetch(node, deps);
  const location = compileLocation(path, deps.types);
  const rewrite = compileRenames(node.renames);
  const renamed = renamedKeys(node.renames);
  return (state) => {
    const targets: DataObject[] = [];
    const planPlaces: Path[] = [];
    location.walkWithPath(state.data, (object, place) => {
      targets.push(object);
      planPlaces.push([...place]);
    });
    const places = planPlaces.map((place) => toClientPath(place, deps));
    if (targets.length === 0) {
      return undefined;
    }
    return send(
      bound,
      fetchVariables(bound.variableUsages, state),
      state,
      handlerFor({ targets, places, planPlaces }),
    );
  };

  function handlerFor({ targets, places, planPlaces }: Found): ResponseHandler {
    const origin = (state: ExecutionState) => ({ serviceName: node.serviceName, context: state.context });
    const report = (error: SubgraphError, isEmpty: boolean, state: ExecutionState) => {
      const planBelow = toPlanPath(error.path ?? [], renamed);
      const below = toClientPath(planBelow, deps);
      if (isEmpty || below.length === 0) {
        state.reportedNulls.push(...places);
      }
      const paths = places.map((place) => [...place, ...below]);
      const planPaths = planPlaces.map((place) => [...place, ...planBelow]);
      addErrors(state, paths, (some) => deps.errors.fromSubgraph(error, some, origin(state)), planPaths);
    };
    return {
      response({ data, errors = [] }, state) {
        const answer = data ?? null;
        for (const error of errors) {
          report(error, answer === null, state);
        }
        if (answer !== null) {
          rewrite?.(answer);
          for (const target of targets) {
            deps.merge(target, copyData(answer));
          }
        }
      },
      failure(error, state) {
        state.reportedNulls.push(...places);
        addErrors(state, places, (some) => deps.errors.fromTransport(error, some, origin(state)));
      },
    };
  }
}
