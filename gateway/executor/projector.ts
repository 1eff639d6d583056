import type { GraphQLObjectType } from 'graphql';
import type { OperationContext, SelectionEntry } from '../planner/collect-fields.ts';
import { compileProjection } from './compiled-projection.ts';
import { compileWriter } from './compiled-writer.ts';
import { FAULTY_DATA } from './emission.ts';
import { createIsExplained } from './explained.ts';
import { collectBytes, writeAscii, writeJson } from './json-bytes.ts';
import { type Projected, project } from './projection.ts';
import type { ExecutionState } from './state.ts';

/** Makes the client's response out of what a run gathered. */
export interface Projector {
  /** As data and the errors that finding it added. */
  project(state: ExecutionState): Projected;
  /**
   * As the bytes of the whole response, with `extensions` when there are any; `null` when there are faults to be found,
   * and for operations that were not run often enough to be compiled: use `project` then.
   */
  write(state: ExecutionState, extensions: object | null): Buffer | null;
}

const NO_ERRORS: Projected['errors'] = [];

/** How often an operation is interpreted before it is worth compiling. */
const RUNS_BEFORE_COMPILING = 2;

/** Calls what `compile` made, from the given run on; `null` before, where it made nothing, and for faulty data. */
function afterRuns<A extends readonly unknown[], R>(
  runsBefore: number,
  compile: () => ((...args: A) => R) | null,
): (...args: A) => R | null {
  let runs = 0;
  let compiled: ((...args: A) => R) | null = null;
  return (...args) => {
    if (runs <= runsBefore && runs++ === runsBefore) {
      compiled = compile();
    }
    try {
      return compiled === null ? null : compiled(...args);
    } catch (error) {
      if (error === FAULTY_DATA) {
        return null;
      }
      throw error;
    }
  };
}

/** An operation that is run again is compiled; data with faults, and operations run once, are interpreted. */
export function createProjector(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  runsBeforeCompiling: number = RUNS_BEFORE_COMPILING,
): Projector {
  const projectFast = afterRuns(runsBeforeCompiling, () => compileProjection(context, rootType, entries));
  const writeFast = afterRuns(runsBeforeCompiling, () => {
    const writer = compileWriter(context, rootType, entries);
    return (
      writer &&
      (({ data, conditions }: ExecutionState, extensions: object | null) =>
        collectBytes(() => {
          const position = writer(data, conditions, writeAscii('{"data":', 0));
          return extensions === null
            ? writeAscii('}', position)
            : writeAscii('}', writeJson(extensions, writeAscii(',"extensions":', position)));
        }))
    );
  });
  return {
    project(state) {
      const data = projectFast(state.data, state.conditions);
      return data === null
        ? project(context, rootType, entries, state.data, state.conditions, createIsExplained(state))
        : { data, errors: NO_ERRORS };
    },
    write: (state, extensions) => (state.errors.length === 0 ? writeFast(state, extensions) : null),
  };
}
