import type { GraphQLObjectType } from 'graphql';
import type { OperationContext, SelectionEntry } from '../planner/collect-fields.ts';
import { type CompiledProjection, compileProjection, FAULTY_DATA } from './compiled-projection.ts';
import { createIsExplained } from './explained.ts';
import { type Projected, project } from './projection.ts';
import type { ExecutionState } from './state.ts';

/** Makes the client's response out of what a run gathered. */
export type Projector = (state: ExecutionState) => Projected;

const NO_ERRORS: Projected['errors'] = [];

/** How often an operation is interpreted before it is worth compiling. */
const RUNS_BEFORE_COMPILING = 2;

/** An operation that is run again is compiled; data with faults, and operations run once, are interpreted. */
export function createProjector(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  runsBeforeCompiling: number = RUNS_BEFORE_COMPILING,
): Projector {
  let runs = 0;
  let compiled: CompiledProjection | null = null;

  function projectFast(state: ExecutionState): Projected | null {
    if (runs <= runsBeforeCompiling && runs++ === runsBeforeCompiling) {
      compiled = compileProjection(context, rootType, entries);
    }
    if (compiled === null) {
      return null;
    }
    try {
      return { data: compiled(state.data, state.conditions), errors: NO_ERRORS };
    } catch (error) {
      if (error === FAULTY_DATA) {
        return null;
      }
      throw error;
    }
  }

  return (state) =>
    projectFast(state) ??
    project(context, rootType, entries, state.data, state.conditions, createIsExplained(state));
}
