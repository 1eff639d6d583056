import type { FetchRewrite, RewritePath } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import { type DataObject, isDataObject } from './state.ts';

/** Changes an object in place as the plan says. */
export type Rewrite = (object: DataObject) => void;

type Apply = (object: DataObject, key: string) => void;

function typeMatches(object: DataObject, names: readonly string[], types: TypeIndex): boolean {
  const typename = object.__typename;
  return typeof typename !== 'string' || names.some((name) => types.satisfies(typename, name));
}

function compilePath(path: RewritePath, apply: Apply, types: TypeIndex): Rewrite {
  const [segment, ...rest] = path;
  if (segment === undefined) {
    return () => undefined;
  }
  if ('TypenameEquals' in segment) {
    const next = compilePath(rest, apply, types);
    const names = segment.TypenameEquals;
    return (object) => (typeMatches(object, names, types) ? next(object) : undefined);
  }
  const key = segment.Key;
  if (rest.length === 0) {
    return (object) => apply(object, key);
  }
  const next = compilePath(rest, apply, types);
  const descend = (value: unknown): void => {
    if (Array.isArray(value)) {
      value.forEach(descend);
    } else if (isDataObject(value)) {
      next(value);
    }
  };
  return (object) => descend(object[key]);
}

function compileRewrite(rewrite: FetchRewrite, types: TypeIndex): Rewrite {
  if ('KeyRenamer' in rewrite) {
    const { path, renameKeyTo } = rewrite.KeyRenamer;
    const rename: Apply = (object, key) => {
      if (object[key] !== undefined && key !== renameKeyTo) {
        object[renameKeyTo] = object[key];
        object[key] = undefined;
      }
    };
    return compilePath(path, rename, types);
  }
  const { path, setValueTo } = rewrite.ValueSetter;
  const set: Apply = (object, key) => {
    object[key] = setValueTo;
  };
  return compilePath(path, set, types);
}

/** Compiles the rewrites of a fetch; `null` when there are none. */
export function compileRewrites(
  rewrites: readonly FetchRewrite[] | undefined,
  types: TypeIndex,
): Rewrite | null {
  if (rewrites === undefined || rewrites.length === 0) {
    return null;
  }
  const compiled = rewrites.map((rewrite) => compileRewrite(rewrite, types));
  return (object) => {
    for (const rewrite of compiled) {
      rewrite(object);
    }
  };
}

/** Maps the planner's own aliases to the keys that they stand for: error paths of the fetch contain the aliases. */
export function renamedKeys(rewrites: readonly FetchRewrite[] | undefined): ReadonlyMap<string, string> {
  const renamed = new Map<string, string>();
  for (const rewrite of rewrites ?? []) {
    const renamer = 'KeyRenamer' in rewrite ? rewrite.KeyRenamer : undefined;
    const last = renamer?.path.at(-1);
    if (renamer !== undefined && last !== undefined && 'Key' in last) {
      renamed.set(last.Key, renamer.renameKeyTo);
    }
  }
  return renamed;
}
