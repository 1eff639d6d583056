import type { GraphQLObjectType } from 'graphql';
import type { OperationContext, SelectionEntry } from '../operation/collect-fields.ts';
import { TOO_LARGE } from './answer-text.ts';
import { type CompiledProjection, compileProjection } from './compiled-projection.ts';
import { type Meter, restart, resume } from './meter.ts';
import { OBJECT_FORM } from './object-form.ts';
import { type Projected, project } from './projection.ts';
import { INVALID_DATA } from './projection-form.ts';
import { createIsReportedNull } from './reported-nulls.ts';
import type { DataObject, ExecutionState } from './state.ts';
import type { Slices } from './time-slices.ts';

/**
 * Makes the client's response out of the data of a run: at once for small data, in slices otherwise.
 *
 * @throws `TOO_LARGE` when the response has more bytes than the meter allows
 */
export type Projector = (state: ExecutionState, meter: Meter) => Projected | Slices<Projected>;

const NO_ERRORS: Projected['errors'] = [];

function checked(projected: Projected, meter: Meter): Projected {
  if (meter.bytes > meter.maxBytes) {
    throw TOO_LARGE;
  }
  return projected;
}

/** Makes the breaks that a projection needs. Throws when the answer is too large. */
function* bounded(slices: Slices<Projected>, meter: Meter): Slices<Projected> {
  for (;;) {
    const step = slices.next();
    if (step.done === true) {
      return checked(step.value, meter);
    }
    if (!resume(meter)) {
      throw TOO_LARGE;
    }
    yield;
  }
}

/** Fills the lists that a compiled projection has left for later. */
function* fillLists(state: ExecutionState, meter: Meter): Slices<void> {
  for (let next = meter.unfilled.pop(); next !== undefined; next = meter.unfilled.pop()) {
    if (meter.bytes > meter.pauseAt) {
      yield;
    }
    next.fill(next.source, next.target, next.index, state.conditions, meter);
  }
}

/**
 * Makes the projector of an operation. It compiles an operation that runs again; it interprets data with errors, and
 * operations that run once.
 *
 * @param runsBeforeCompiling the number of interpreted runs; the next run compiles the operation
 */
export function createProjector(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  runsBeforeCompiling: number,
): Projector {
  let runs = 0;
  let compiled: CompiledProjection<DataObject, Meter> | null = null;

  function interpret(state: ExecutionState, meter: Meter): Slices<Projected> {
    return project(context, rootType, entries, state, createIsReportedNull(state), meter);
  }

  /**
   * Starts the compiled projection. Returns null when the operation is not compiled or the data needs the exact projection.
   */
  function begin(state: ExecutionState, meter: Meter): DataObject | null {
    if (runs <= runsBeforeCompiling && runs++ === runsBeforeCompiling) {
      compiled = compileProjection(OBJECT_FORM, context, rootType, entries);
    }
    try {
      return compiled === null ? null : compiled(state.data, state.conditions, meter);
    } catch (error) {
      if (error === INVALID_DATA) {
        return null;
      }
      throw error;
    }
  }

  function* goOn(data: DataObject, state: ExecutionState, meter: Meter): Slices<Projected> {
    try {
      yield* fillLists(state, meter);
      return { data, errors: NO_ERRORS, omitted: 0 };
    } catch (error) {
      if (error !== INVALID_DATA) {
        throw error;
      }
      restart(meter);
      return yield* interpret(state, meter);
    }
  }

  return (state, meter) => {
    const data = begin(state, meter);
    if (data === null) {
      restart(meter);
      return bounded(interpret(state, meter), meter);
    }
    return meter.unfilled.length === 0
      ? checked({ data, errors: NO_ERRORS, omitted: 0 }, meter)
      : bounded(goOn(data, state, meter), meter);
  };
}
