import type { GraphQLError } from 'graphql';
import type { ConditionValues } from '../conditions.ts';
import type { EngineContext } from '../context.ts';

/** A position in a response: response keys and list indexes from the root. */
export type Path = readonly (string | number)[];

/** An object of the response while a plan runs, under the plan's keys. */
export type DataObject = Record<string, unknown>;

/** The data and errors of one run of an operation (for a subscription: of one event). */
export interface ExecutionState {
  readonly data: DataObject;
  /** Variables as the client sent them; those that it left out are absent. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly conditions: ConditionValues;
  readonly context: EngineContext;
  /** Added to by `addErrors`. */
  readonly errors: GraphQLError[];
  /**
   * Where errors of subgraphs are, in the plan's keys. Two fields of one response key, selected of different types, have
   * different keys there.
   */
  readonly planPaths: WeakMap<GraphQLError, Path>;
  /** The number of errors that were not kept. */
  omitted: number;
  /** Paths in client keys. Errors already explain the missing data below them. */
  readonly reportedNulls: Path[];
}

/** Most errors in one answer. */
export const MOST_ERRORS = 100;

/**
 * Adds one error for each position, as long as there is room.
 *
 * @param make makes the errors for some positions. It is called for one position at least, because it also reports to the
 * operator, whether or not the client sees the error
 * @param planPaths the same positions in the plan's keys, where they are known
 */
export function addErrors(
  state: ExecutionState,
  paths: readonly Path[],
  make: (paths: readonly Path[]) => readonly GraphQLError[],
  planPaths: readonly Path[] = [],
): void {
  const room = MOST_ERRORS - state.errors.length;
  const made = make(paths.slice(0, Math.max(room, 1)));
  const added = made.slice(0, Math.max(room, 0));
  state.errors.push(...added);
  for (const [index, error] of added.entries()) {
    const planPath = planPaths[index];
    if (planPath !== undefined) {
      state.planPaths.set(error, planPath);
    }
  }
  state.omitted += Math.max(paths.length, 1) - added.length;
}

/**
 * A compiled part of a plan. It never throws or rejects: it adds failures to `errors`. It returns `undefined` when there is
 * nothing to wait for, which saves a promise.
 */
export type Step = (state: ExecutionState) => Promise<void> | undefined;

/** Whether a value is an object of the response (not a list). */
export function isDataObject(value: unknown): value is DataObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
