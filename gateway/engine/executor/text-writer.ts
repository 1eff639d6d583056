import type { GraphQLObjectType } from 'graphql';
import type { OperationContext, SelectionEntry } from '../operation/collect-fields.ts';
import { type CompiledProjection, compileProjection } from './compiled-projection.ts';
import { INVALID_DATA } from './projection-form.ts';
import type { ExecutionState } from './state.ts';
import { TEXT_FORM, TOO_LONG } from './text-form.ts';

/**
 * Writes the JSON of a run's data at once. Returns null if a `Projector` must make the answer: for an operation that
 * is not compiled (yet), data with errors, or a long answer.
 */
export type TextWriter = (state: ExecutionState) => string | null;

/** After a long answer, this number of answers of the operation are not tried, because they are likely as long. */
const RUNS_AFTER_LONG = 100;

/** @param runsBeforeCompiling the number of runs that are left to the projector; the next one compiles the operation */
export function createTextWriter(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  runsBeforeCompiling: number,
): TextWriter {
  let skipped = runsBeforeCompiling;
  let compiled: CompiledProjection<string, string> | null | undefined;
  return ({ data, conditions }) => {
    if (skipped > 0) {
      skipped -= 1;
      return null;
    }
    if (compiled === undefined) {
      compiled = compileProjection(TEXT_FORM, context, rootType, entries);
    }
    try {
      return compiled === null ? null : compiled(data, conditions, '');
    } catch (error) {
      if (error === TOO_LONG) {
        skipped = RUNS_AFTER_LONG;
      } else if (error !== INVALID_DATA) {
        throw error;
      }
      return null;
    }
  };
}
