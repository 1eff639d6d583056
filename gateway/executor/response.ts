import type { ExecutionResult } from 'graphql';
import type { Projector } from './projector.ts';
import type { ExecutionState } from './state.ts';

const BODY = Symbol('body');

/** The result of a run, with `extensions` when there are any. */
export function toResult(
  projector: Projector,
  state: ExecutionState,
  extensions: Readonly<Record<string, unknown>> | null,
): ExecutionResult {
  const { data, errors } = projector.project(state);
  return {
    data,
    ...(state.errors.length + errors.length > 0 ? { errors: [...state.errors, ...errors] } : {}),
    ...(extensions === null ? {} : { extensions }),
  };
}

/**
 * The same for who is going to send it: written out already where that can be (see {@link bytesOf}), its `data` made only
 * for who looks at it.
 */
export function toWrittenResult(
  projector: Projector,
  state: ExecutionState,
  extensions: Readonly<Record<string, unknown>> | null,
): ExecutionResult {
  const body = projector.write(state, extensions);
  if (body === null) {
    return toResult(projector, state, extensions);
  }
  let data: ExecutionResult['data'];
  const result: ExecutionResult = {
    get data() {
      data ??= projector.project(state).data;
      return data;
    },
    ...(extensions === null ? {} : { extensions }),
  };
  // Not enumerable: a copy with something changed has another text.
  return Object.defineProperty(result, BODY, { value: body });
}

/** The JSON text of a result, in UTF-8. */
export function bytesOf(result: ExecutionResult & { readonly [BODY]?: Buffer }): Buffer {
  return result[BODY] ?? Buffer.from(JSON.stringify(result));
}
