import type { SubgraphError, SubgraphResponse } from '../transports/transport.ts';
import { type EntityBatch, type EntityInput, positionsOf } from './entity-input.ts';
import type { ErrorReporter } from './errors.ts';
import type { BoundFetch, FetchDeps } from './fetch.ts';
import { addErrors, type ExecutionState, type Path } from './state.ts';

/** A fetch of entities, compiled. */
export interface EntityFetch {
  readonly bound: BoundFetch;
  readonly inputs: readonly EntityInput[];
  readonly deps: FetchDeps;
}

/** Reports what went wrong with a fetch at the positions of its entities. */
export interface EntityErrors {
  /** An error that the subgraph reports. */
  report(error: SubgraphError, data: SubgraphResponse['data']): void;
  /** The subgraph could not be reached. */
  fail(error: unknown): void;
}

const NOT_RENAMED: ReadonlyMap<string, string> = new Map();

function toClientPath(path: Path, renamed: ReadonlyMap<string, string>, deps: FetchDeps): Path {
  return path.map((segment) =>
    typeof segment === 'string' ? deps.clientKey(renamed.get(segment) ?? segment) : segment,
  );
}

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
  /** The error's path inside the entity, in client keys. */
  readonly below: Path;
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
  const positions = inputs.map((input, number) => {
    const batch = batches[number];
    const found = batch === undefined ? [] : positionsOf(input, batch, state.data);
    return found.map((paths) => paths.map((path) => toClientPath(path, NOT_RENAMED, deps)));
  });

  function locate(error: SubgraphError, data: SubgraphResponse['data']): Located | null {
    const [alias, index, ...below] = error.path ?? [];
    const number = inputs.findIndex((candidate) => candidate.alias === alias);
    const input = inputs[number];
    const places = typeof index === 'number' ? positions[number]?.[index] : undefined;
    if (input === undefined || places === undefined || typeof index !== 'number') {
      return null;
    }
    const entities = data?.[input.alias];
    const entity = Array.isArray(entities) ? entities[index] : null;
    return {
      input,
      places,
      below: toClientPath(below, input.renamed, deps),
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
    report(error, data) {
      const located = locate(error, data);
      if (located === null) {
        reportForAll((paths) => deps.errors.fromSubgraph(error, paths, origin));
        return;
      }
      if (located.isMissing) {
        state.reportedNulls.push(...located.places);
      }
      const paths = located.places.map((place) => [...place, ...located.below]);
      addErrors(state, paths, (some) => deps.errors.fromSubgraph(error, some, origin));
    },
    fail(error) {
      reportForAll((paths) => deps.errors.fromTransport(error, paths, origin));
    },
  };
}
