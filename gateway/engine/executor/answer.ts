import { type ExecutionResult, GraphQLError } from 'graphql';
import { failRequest } from '../request-error.ts';
import type { AnswerShape } from './answer-shape.ts';
import { type WrittenData, writeData } from './answer-writer.ts';
import { type ExecutionState, MOST_ERRORS } from './state.ts';
import { type ConcurrencyLimiter, inSlices, type Slices } from './time-slices.ts';
import { WrittenResult } from './written-result.ts';

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
  shapeOf: AnswerShape,
  state: ExecutionState,
  extensions?: ExecutionResult['extensions'],
) => ExecutionResult | Promise<ExecutionResult>;

/** The errors of a run and of its data: some of them, and the number of the others. */
function errorsOf(state: ExecutionState, written: WrittenData): ExecutionResult['errors'] {
  const found = state.errors.length + state.omitted + written.errors.length + written.omitted;
  if (found === 0) {
    return undefined;
  }
  const errors = [...state.errors, ...written.errors].slice(0, MOST_ERRORS);
  const omitted = found - errors.length;
  if (omitted > 0) {
    const code = errors[0]?.extensions.code;
    errors.push(new GraphQLError(`${omitted} more errors were left out.`, { extensions: { code, omitted } }));
  }
  return errors;
}

/**
 * Makes answers of at most so many bytes. A larger one becomes the error `RESPONSE_TOO_LARGE` as soon as the bound is passed.
 */
export function createAnswers({ maxBytes, limiter }: AnswerOptions): MakeAnswer {
  function* write(
    shapeOf: AnswerShape,
    state: ExecutionState,
    extensions: ExecutionResult['extensions'],
  ): Slices<ExecutionResult> {
    const written = yield* writeData(shapeOf(state.conditions), state, maxBytes);
    const result = written && new WrittenResult(written.text, errorsOf(state, written), extensions);
    return result?.isAtMost(maxBytes)
      ? result
      : failRequest(
          'RESPONSE_TOO_LARGE',
          `The answer has more than ${maxBytes} bytes: request less at once.`,
        );
  }
  return (shapeOf, state, extensions) =>
    inSlices(write(shapeOf, state, extensions), { limiter, signal: state.context.signal });
}
