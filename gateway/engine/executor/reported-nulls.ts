import type { GraphQLError } from 'graphql';
import type { ExecutionState, Path } from './state.ts';

/** Whether an error was reported already for a missing value at this position. */
export type IsReportedNull = (path: Path) => boolean;

function keyOf(path: Path, length: number): string {
  let key = '';
  for (let index = 0; index < length; index++) {
    const segment = path[index];
    key += typeof segment === 'number' ? `#${segment}` : `.${segment}`;
  }
  return key;
}

/**
 * A missing value needs no further error if one was reported at its position or below (the null propagated from
 * there), or if a position above is missing for a reported reason.
 */
export function createIsReportedNull(state: ExecutionState): IsReportedNull {
  let atOrAbove: Set<string> | undefined;
  const below = new Set<string>();
  const index = (errors: readonly GraphQLError[]): Set<string> => {
    const keys = new Set<string>();
    for (const { path } of errors) {
      for (let length = 1; path !== undefined && length <= path.length; length++) {
        keys.add(keyOf(path, length));
      }
    }
    for (const path of state.reportedNulls) {
      below.add(keyOf(path, path.length));
    }
    return keys;
  };
  return (path) => {
    atOrAbove ??= index(state.errors);
    if (atOrAbove.has(keyOf(path, path.length))) {
      return true;
    }
    for (let length = 0; length <= path.length; length++) {
      if (below.has(keyOf(path, length))) {
        return true;
      }
    }
    return false;
  };
}
