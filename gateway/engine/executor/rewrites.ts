import type { KeyRename } from '../planner/plan.ts';
import { type DataObject, isDataObject } from './state.ts';

/** Changes an object in place. */
export type Rewrite = (object: DataObject) => void;

function compileRename([key = '', ...rest]: readonly string[], to: string): Rewrite {
  if (rest.length === 0) {
    return (object) => {
      if (object[key] !== undefined && key !== to) {
        object[to] = object[key];
        object[key] = undefined;
      }
    };
  }
  const next = compileRename(rest, to);
  const descend = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(descend);
    } else if (isDataObject(value)) {
      next(value);
    }
  };
  return (object) => descend(object[key]);
}

/** Compiles the renames of a fetch; `null` when there are none. */
export function compileRenames(renames: readonly KeyRename[] = []): Rewrite | null {
  if (renames.length === 0) {
    return null;
  }
  const compiled = renames.map(({ path, to }) => compileRename(path, to));
  return (object) => {
    for (const rename of compiled) {
      rename(object);
    }
  };
}

/** Maps the planner's own aliases to the keys that they stand for: error paths of the fetch contain the aliases. */
export function renamedKeys(renames: readonly KeyRename[] = []): ReadonlyMap<string, string> {
  return new Map(renames.map(({ path, to }) => [path.at(-1) ?? '', to]));
}
