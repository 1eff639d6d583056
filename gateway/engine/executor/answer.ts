import { type ExecutionResult, GraphQLError, type GraphQLObjectType } from 'graphql';
import type { OperationContext, SelectionEntry } from '../operation/collect-fields.ts';
import { failRequest } from '../request-error.ts';
import { TOO_LARGE, writeAnswer } from './answer-text.ts';
import { createMeter, isSmall, type Meter } from './meter.ts';
import type { Projected } from './projection.ts';
import { createProjector, type Projector } from './projector.ts';
import { type ExecutionState, MOST_ERRORS } from './state.ts';
import { createTextWriter, type TextWriter } from './text-writer.ts';
import { type ConcurrencyLimiter, inSlices, type Slices, withoutBreaks } from './time-slices.ts';
import { WrittenResult } from './written-result.ts';

/** How answers are made. */
export interface AnswerOptions {
  /** Most bytes of an answer's JSON. */
  readonly maxBytes: number;
  /** Where large answers wait for each other. */
  readonly limiter: ConcurrencyLimiter;
  /**
   * Whether answers are written to text at once if possible, for `resultText`. Otherwise they are serialised when
   * they are read.
   */
  readonly asText: boolean;
}

/** Makes the answer of one operation from the data of a run. */
export interface AnswerParts {
  readonly project: Projector;
  readonly write: TextWriter;
}

/** @param runsBeforeCompiling the number of interpreted runs; the next run compiles the operation */
export function createAnswerParts(
  context: OperationContext,
  rootType: GraphQLObjectType,
  entries: readonly SelectionEntry[],
  runsBeforeCompiling: number,
): AnswerParts {
  return {
    project: createProjector(context, rootType, entries, runsBeforeCompiling),
    write: createTextWriter(context, rootType, entries, runsBeforeCompiling),
  };
}

/**
 * Makes the client's answer out of the state of a run. Returns no promise for a small answer.
 *
 * @throws the reason of the request's signal when it is aborted meanwhile
 */
export type MakeAnswer = (
  parts: AnswerParts,
  state: ExecutionState,
  extensions?: ExecutionResult['extensions'],
) => ExecutionResult | Promise<ExecutionResult>;

function toResult(
  projected: Projected,
  state: ExecutionState,
  extensions: ExecutionResult['extensions'],
): ExecutionResult {
  const { data } = projected;
  const extra = extensions === undefined ? {} : { extensions };
  const found = state.errors.length + state.omitted + projected.errors.length + projected.omitted;
  if (found === 0) {
    return { data, ...extra };
  }
  const errors = [...state.errors, ...projected.errors].slice(0, MOST_ERRORS);
  const omitted = found - errors.length;
  if (omitted > 0) {
    const code = errors[0]?.extensions.code;
    errors.push(new GraphQLError(`${omitted} more errors were left out.`, { extensions: { code, omitted } }));
  }
  return { data, errors, ...extra };
}

/** Whether the result is certainly below the bound, judged by the bytes counted while it was made and by its errors. */
function isWithin({ errors }: ExecutionResult, meter: Meter): boolean {
  if (errors !== undefined && meter.maxBytes !== Number.POSITIVE_INFINITY) {
    meter.bytes += JSON.stringify(errors).length;
  }
  return isSmall(meter);
}

function* measured(result: ExecutionResult, maxBytes: number): Slices<ExecutionResult> {
  yield* writeAnswer(result, maxBytes);
  return result;
}

/** The result as text, when that is possible without reporting an error. */
function writeResult(
  write: TextWriter,
  project: Projector,
  state: ExecutionState,
  extensions: ExecutionResult['extensions'],
): WrittenResult | null {
  const text = state.errors.length + state.omitted === 0 ? write(state) : null;
  return text === null ? null : new WrittenResult(text, () => projectAll(project, state), extensions);
}

/** The data of a run whose text could be written: it has no errors. */
function projectAll(project: Projector, state: ExecutionState): Projected['data'] {
  const projected = project(state, createMeter());
  return 'next' in projected ? withoutBreaks(projected).data : projected.data;
}

/**
 * Makes answers of at most so many bytes. A larger one becomes the error `RESPONSE_TOO_LARGE` as soon as the bound is passed.
 */
export function createAnswers({ maxBytes, limiter, asText }: AnswerOptions): MakeAnswer {
  const failed = (error: unknown): ExecutionResult => {
    if (error === TOO_LARGE) {
      return failRequest(
        'RESPONSE_TOO_LARGE',
        `The answer has more than ${maxBytes} bytes: request less at once.`,
      );
    }
    throw error;
  };
  return ({ project, write }, state, extensions) => {
    const written = asText ? writeResult(write, project, state, extensions) : null;
    if (written !== null) {
      return written.isAtMost(maxBytes) ? written : failed(TOO_LARGE);
    }
    const meter = createMeter(maxBytes);
    const complete = (projected: Projected): ExecutionResult | Slices<ExecutionResult> => {
      const result = toResult(projected, state, extensions);
      return isWithin(result, meter) ? result : measured(result, maxBytes);
    };
    function* completeLater(slices: Slices<Projected>): Slices<ExecutionResult> {
      const completed = complete(yield* slices);
      return 'next' in completed ? yield* completed : completed;
    }
    try {
      const projected = project(state, meter);
      const completed = 'next' in projected ? completeLater(projected) : complete(projected);
      if (!('next' in completed)) {
        return completed;
      }
      const made = inSlices(completed, { limiter, signal: state.context.signal });
      return made instanceof Promise ? made.catch(failed) : made;
    } catch (error) {
      return failed(error);
    }
  };
}
