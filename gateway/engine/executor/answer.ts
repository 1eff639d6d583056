import { type ExecutionResult, GraphQLError } from 'graphql';
import { failRequest } from '../request-error.ts';
import { TOO_LARGE, writeAnswer } from './answer-text.ts';
import { createMeter, isSmall, type Meter } from './meter.ts';
import type { Projected } from './projection.ts';
import type { Projector } from './projector.ts';
import { type ExecutionState, MOST_ERRORS } from './state.ts';
import { type ConcurrencyLimiter, inSlices, type Slices } from './time-slices.ts';

/** How answers are made. */
export interface AnswerOptions {
  /** Most bytes of an answer's JSON. */
  readonly maxBytes: number;
  /** Where large answers wait for each other. */
  readonly limiter: ConcurrencyLimiter;
}

/**
 * Makes the client's answer out of the state of a run. Returns no promise for a small answer.
 *
 * @throws the reason of the request's signal when it is aborted meanwhile
 */
export type MakeAnswer = (
  project: Projector,
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

/**
 * Makes answers of at most so many bytes. A larger one becomes the error `RESPONSE_TOO_LARGE` as soon as the bound is passed.
 */
export function createAnswers({ maxBytes, limiter }: AnswerOptions): MakeAnswer {
  const failed = (error: unknown): ExecutionResult => {
    if (error === TOO_LARGE) {
      return failRequest(
        'RESPONSE_TOO_LARGE',
        `The answer has more than ${maxBytes} bytes: request less at once.`,
      );
    }
    throw error;
  };
  return (project, state, extensions) => {
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
