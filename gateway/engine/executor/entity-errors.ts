import { TransportError } from '../transports/http-error.ts';
import type { SubgraphError } from '../transports/transport.ts';
import { type EntityBatch, type EntityInput, positionsOf } from './entity-input.ts';
import type { ErrorReporter } from './errors.ts';
import { type BoundFetch, type FetchDeps, toClientPath, toPlanPath } from './fetch.ts';
import { addErrors, type ExecutionState, type Path } from './state.ts';

/** A fetch of entities, compiled. */
export interface EntityFetch {
  readonly bound: BoundFetch;
  readonly inputs: readonly EntityInput[];
  readonly deps: FetchDeps;
}

/** The entities of each input of an answer; `null` where there is not one for each reference. */
type AnsweredEntities = readonly (readonly unknown[] | null)[];

/** Reports the errors of a fetch at the positions of its entities. */
interface EntityErrors {
  /** An error that the subgraph reports. Returns whether it concerns all entities. */
  report(error: SubgraphError, answered: AnsweredEntities): boolean;
  /** The subgraph could not be reached. */
  fail(error: unknown): void;
  /** The subgraph gave one entity of an input, or all of them, in a form that cannot be read. */
  failInput(input: number, index?: number): void;
}

/** Whether a value is valid for an entity. Null means that the entity does not exist. */
export function isEntity(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Reports the errors of an answer, and its invalid entities. */
export function reportAnswer(
  report: EntityErrors,
  errors: readonly SubgraphError[],
  answered: AnsweredEntities,
): void {
  let explainsAll = false;
  for (const error of errors) {
    explainsAll = report.report(error, answered) || explainsAll;
  }
  for (const [input, entities] of answered.entries()) {
    if (entities === null && !explainsAll) {
      report.failInput(input);
    }
    for (const [index, entity] of entities?.entries() ?? []) {
      if (!isEntity(entity)) {
        report.failInput(input, index);
      }
    }
  }
}

const UNREADABLE = new TransportError(
  'SUBGRAPH_RESPONSE_INVALID',
  'The subgraph did not answer each reference with an entity.',
);
function commonPrefix(paths: readonly Path[]): Path {
  const [first = [], ...others] = paths;
  let length = first.length;
  for (const path of others) {
    let common = 0;
    while (common < length && path[common] === first[common]) {
      common += 1;
    }
    length = common;
  }
  return first.slice(0, length);
}

interface Located {
  readonly input: EntityInput;
  /** Where the entity stands, in client keys. */
  readonly places: readonly Path[];
  /** The same, in the plan's keys. */
  readonly planPlaces: readonly Path[];
  /** The error's path inside the entity, in the plan's keys. */
  readonly planBelow: Path;
  readonly isMissing: boolean;
}

/** Finds the positions of this run's entities. Call it before their results are merged. */
export function createEntityErrors(
  fetch: EntityFetch,
  batches: readonly EntityBatch[],
  state: ExecutionState,
): EntityErrors {
  const { inputs, deps, bound } = fetch;
  const origin = { serviceName: bound.fetch.subgraph, context: state.context };
  const planPositions = inputs.map((input, number) => {
    const batch = batches[number];
    return batch === undefined ? [] : positionsOf(input, batch, state.data);
  });
  const positions = planPositions.map((found) =>
    found.map((paths) => paths.map((path) => toClientPath(path, deps))),
  );

  function locate(error: SubgraphError, answered: AnsweredEntities): Located | null {
    const [alias, index, ...below] = error.path ?? [];
    const number = inputs.findIndex((candidate) => candidate.alias === alias);
    const input = inputs[number];
    const places = typeof index === 'number' ? positions[number]?.[index] : undefined;
    if (input === undefined || places === undefined || typeof index !== 'number') {
      return null;
    }
    const entities = answered[number] ?? null;
    if (entities === null) {
      return null;
    }
    const entity = entities[index];
    return {
      input,
      places,
      planPlaces: planPositions[number]?.[index] ?? [],
      planBelow: toPlanPath(below, input.renamed),
      isMissing: entity === null || entity === undefined,
    };
  }

  /** One error at the common part of all positions, because it concerns all entities alike. */
  function reportForAll(make: (paths: readonly Path[]) => ReturnType<ErrorReporter['fromTransport']>): void {
    const all = positions.flat(2);
    state.reportedNulls.push(...all);
    addErrors(state, [commonPrefix(all)], make);
  }

  return {
    report(error, answered) {
      const located = locate(error, answered);
      if (located === null) {
        reportForAll((paths) => deps.errors.fromSubgraph(error, paths, origin));
        return true;
      }
      if (located.isMissing) {
        state.reportedNulls.push(...located.places);
      }
      const { places, planPlaces, planBelow } = located;
      const below = toClientPath(planBelow, deps);
      const paths = places.map((place) => [...place, ...below]);
      const planPaths = planPlaces.map((place) => [...place, ...planBelow]);
      addErrors(state, paths, (some) => deps.errors.fromSubgraph(error, some, origin), planPaths);
      return false;
    },
    fail(error) {
      reportForAll((paths) => deps.errors.fromTransport(error, paths, origin));
    },
    failInput(input, index) {
      const places = positions[input] ?? [];
      const concerned = index === undefined ? places.flat() : (places[index] ?? []);
      state.reportedNulls.push(...concerned);
      const paths = index === undefined ? [commonPrefix(concerned)] : concerned;
      addErrors(state, paths, (some) => deps.errors.fromTransport(UNREADABLE, some, origin));
    },
  };
}
