import type { PlanPath } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import { type DataObject, isDataObject, type Path } from './state.ts';

/** Calls `visit` for every object at a place of the data. */
type Walk = (data: unknown, visit: (object: DataObject) => void) => void;

/** The same, with each object's position; slower, for error reports. */
type WalkWithPath = (data: unknown, visit: (object: DataObject, path: Path) => void) => void;

/** One place of a plan (`users.@.friends`), compiled. */
export interface Location {
  readonly walk: Walk;
  readonly walkWithPath: WalkWithPath;
}

function walkObjects(value: unknown, visit: (object: DataObject) => void): void {
  if (Array.isArray(value)) {
    for (const item of value) {
      walkObjects(item, visit);
    }
  } else if (isDataObject(value)) {
    visit(value);
  }
}

/** Enters every list at any depth: a plan writes one `@` also for a list of lists. */
function compileWalk(path: PlanPath, types: TypeIndex): Walk {
  return path.reduceRight<Walk>((next, segment): Walk => {
    if (segment === '@') {
      return next;
    }
    if ('Field' in segment) {
      const key = segment.Field;
      return (value, visit) => walkObjects(value, (object) => next(object[key], visit));
    }
    const matches = createTypeMatcher(segment.TypeCondition, types);
    return (value, visit) =>
      walkObjects(value, (object) => (matches(object) ? next(object, visit) : undefined));
  }, walkObjects);
}

function createTypeMatcher(conditions: readonly string[], types: TypeIndex): (object: DataObject) => boolean {
  const known = new Map<string, boolean>();
  return (object) => {
    const typename = object.__typename;
    // Plans do not select `__typename` where the type is known beforehand. The condition holds there.
    if (typeof typename !== 'string') {
      return true;
    }
    let matches = known.get(typename);
    if (matches === undefined) {
      matches = conditions.some((condition) => types.satisfies(typename, condition));
      known.set(typename, matches);
    }
    return matches;
  };
}

type Trail = (string | number)[];

function compileWalkWithPath(path: PlanPath, types: TypeIndex): WalkWithPath {
  const segments = path.filter((segment) => segment !== '@');
  const matchers = segments.map((segment) =>
    'Field' in segment ? null : createTypeMatcher(segment.TypeCondition, types),
  );
  function descend(
    value: unknown,
    index: number,
    trail: Trail,
    visit: (object: DataObject, path: Path) => void,
  ): void {
    if (Array.isArray(value)) {
      value.forEach((item, position) => {
        descend(item, index, [...trail, position], visit);
      });
      return;
    }
    if (!isDataObject(value)) {
      return;
    }
    const segment = segments[index];
    if (segment === undefined) {
      visit(value, trail);
    } else if ('Field' in segment) {
      descend(value[segment.Field], index + 1, [...trail, segment.Field], visit);
    } else if (matchers[index]?.(value)) {
      descend(value, index + 1, trail, visit);
    }
  }
  return (data, visit) => descend(data, 0, [], visit);
}

/** Compiles the path of a plan node; paths that it yields are in the plan's keys. */
export function compileLocation(path: PlanPath, types: TypeIndex): Location {
  return { walk: compileWalk(path, types), walkWithPath: compileWalkWithPath(path, types) };
}
