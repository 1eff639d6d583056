import { parse, validate } from 'graphql';
import { createComparison, type Difference } from './compare.ts';
import { composeModel } from './compose.ts';
import type { Model } from './model.ts';
import { createFuzzGraph } from './resolvers.ts';
import type { Failure } from './run.ts';
import { modelEdits, smallerOperations } from './smaller.ts';
import { createRunState, type RunState } from './world.ts';
import type { GeneratedOperation } from './writing.ts';

/** Whether the same kind of difference is still there; `null` where it is not, or where the case is no longer valid. */
type Judge = (model: Model, operation: GeneratedOperation) => Promise<Difference | null>;

function openModel(model: Model, state: RunState): ReturnType<typeof createFuzzGraph> | null {
  try {
    return createFuzzGraph({ model, supergraphSdl: composeModel(model) }, state);
  } catch {
    // A smaller graph that cannot be composed is none.
    return null;
  }
}

/** Distinguishes failures by their first error, so that one does not turn into another. */
function kindOf({ what, engine }: Difference): string {
  const text = JSON.stringify(engine).replaceAll('\\', '');
  const message = /INTERNAL_SERVER_ERROR/.test(text) ? /"message":"([^":]*)/.exec(text)?.[1] : undefined;
  return `${what} ${message ?? ''}`;
}

/** Subgraphs say this of a graph from which a type was taken that values still have. */
const UNSOUND = 'Runtime Object type';

/** Whether graphql-js finds the graph itself in order: all errors are those that values make. */
async function isSound(
  graph: ReturnType<typeof createFuzzGraph>,
  operation: GeneratedOperation,
): Promise<boolean> {
  if (operation.query.startsWith('subscription')) {
    return true;
  }
  const { errors = [] } = await graph.runMonolith(operation.query, operation.variables);
  return errors.every(({ message }) => /^on purpose|^Cannot return null/.test(message));
}

/** Judges cases; a graph is opened once for all operations on it. */
function createJudge(kind: string): Judge {
  let opened:
    | { readonly text: string; readonly graph: ReturnType<typeof createFuzzGraph> | null }
    | undefined;
  const state = createRunState();
  return async (model, operation) => {
    const text = JSON.stringify(model);
    if (opened?.text !== text) {
      opened = { text, graph: openModel(model, state) };
    }
    const { graph } = opened;
    if (graph === null || validate(graph.monolith, parse(operation.query)).length > 0) {
      return null;
    }
    const difference = await createComparison(graph, state).compareEveryWay(operation);
    const isWhole = !JSON.stringify(difference?.engine ?? null).includes(UNSOUND);
    const isSame =
      difference !== null && isWhole && kindOf(difference) === kind && (await isSound(graph, operation));
    return isSame ? difference : null;
  };
}

async function firstOf<T>(
  candidates: Iterable<T>,
  isGood: (candidate: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates) {
    if (await isGood(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

const SHRINKING_MS = 60_000;

/** Makes a failing case as small as one minute allows. */
export async function shrink(failure: Failure, budgetMs = SHRINKING_MS): Promise<Failure> {
  const judge = createJudge(kindOf(failure.difference));
  const endsAt = performance.now() + budgetMs;
  let current = failure;
  const isLeft = (): boolean => performance.now() < endsAt;
  async function attempt(part: Partial<Pick<Failure, 'model' | 'generated'>>): Promise<boolean> {
    if (!isLeft()) {
      return false;
    }
    const { model, generated } = { ...current, ...part };
    const difference = await judge(model, generated).catch(() => null);
    if (difference !== null) {
      current = { ...current, model, generated, difference };
    }
    return difference !== null;
  }
  async function withoutParts(): Promise<boolean> {
    let hasChanged = false;
    for (const edit of modelEdits(current.model)) {
      const model = structuredClone(current.model);
      edit(model);
      hasChanged =
        (JSON.stringify(model) !== JSON.stringify(current.model) && (await attempt({ model }))) || hasChanged;
    }
    return hasChanged;
  }
  for (let hasChanged = true; hasChanged && isLeft(); ) {
    hasChanged = false;
    while (
      (await firstOf(smallerOperations(current.generated), (generated) => attempt({ generated }))) !==
      undefined
    ) {
      hasChanged = true;
    }
    hasChanged = (await withoutParts()) || hasChanged;
  }
  return current;
}
