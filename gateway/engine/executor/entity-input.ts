import type { ConditionValues } from '../conditions.ts';
import type { KeyRename, PlanPath, RequiresSelection } from '../planner/plan.ts';
import type { TypeIndex } from '../supergraph/supergraph.ts';
import { compileLocation, type Location } from './locations.ts';
import { copyData, type Merge } from './merge.ts';
import { compileRepresentations, NOT_REPRESENTABLE, type Representations } from './representations.ts';
import { compileRenames, type Rewrite, renamedKeys } from './rewrites.ts';
import { type DataObject, isDataObject, type Path } from './state.ts';

/** One `_entities` field of a fetch, as the plan describes it. */
export interface EntityInputPlan {
  /** Response key of the `_entities` field. */
  readonly alias: string;
  readonly variable: string;
  readonly paths: readonly PlanPath[];
  readonly requires: readonly RequiresSelection[];
  readonly sendAs?: string | undefined;
  readonly renames?: readonly KeyRename[] | undefined;
}

/** The same, compiled. */
export interface EntityInput {
  readonly alias: string;
  readonly variable: string;
  readonly locations: readonly Location[];
  createRepresentations(conditions: ConditionValues): Representations;
  readonly rewriteOutput: Rewrite | null;
  readonly renamed: ReadonlyMap<string, string>;
}

/** The input of one run of the fetch for one `_entities` field. */
export interface EntityBatch {
  readonly representations: DataObject[];
  /** Objects to add to. `indexes` has the representation of each, and `places` its location. */
  readonly targets: DataObject[];
  readonly indexes: number[];
  readonly places: number[];
}

/** Compiles one `_entities` field of a fetch from `subgraph`. */
export function compileEntityInput(plan: EntityInputPlan, subgraph: string, types: TypeIndex): EntityInput {
  return {
    alias: plan.alias,
    variable: plan.variable,
    locations: plan.paths.map((path) => compileLocation(path, types)),
    createRepresentations: compileRepresentations(plan.requires, subgraph, types, plan.sendAs),
    rewriteOutput: compileRenames(plan.renames),
    renamed: renamedKeys(plan.renames),
  };
}

/** Finds the objects that the fetch adds to, and the distinct references to them. */
export function collectRepresentations(
  input: EntityInput,
  data: DataObject,
  conditions: ConditionValues,
): EntityBatch {
  const representations = input.createRepresentations(conditions);
  const batch: EntityBatch = { representations: representations.list, targets: [], indexes: [], places: [] };
  let place = 0;
  const visit = (object: DataObject): void => {
    const index = representations.add(object);
    if (index !== NOT_REPRESENTABLE) {
      batch.targets.push(object);
      batch.indexes.push(index);
      batch.places.push(place);
    }
  };
  for (const location of input.locations) {
    location.walk(data, visit);
    place += 1;
  }
  return batch;
}

/**
 * Adds the subgraph's entities to the objects that they belong to. Objects at one location share the values of an entity,
 * because the rest of the plan treats them alike; each further location gets a copy.
 */
export function mergeEntities(
  input: EntityInput,
  batch: EntityBatch,
  entities: readonly unknown[],
  merge: Merge,
): void {
  if (input.rewriteOutput !== null) {
    entities.filter(isDataObject).forEach(input.rewriteOutput);
  }
  const severalPlaces = input.locations.length > 1;
  const firstPlace: (number | undefined)[] = [];
  for (let position = 0; position < batch.targets.length; position++) {
    // The loop ends with the list.
    const target = batch.targets[position] as DataObject;
    const index = batch.indexes[position] ?? 0;
    const entity = entities[index];
    if (!isDataObject(entity)) {
      continue;
    }
    if (severalPlaces) {
      firstPlace[index] ??= batch.places[position];
    }
    const shared = !severalPlaces || firstPlace[index] === batch.places[position];
    merge(target, shared ? entity : copyData(entity));
  }
}

/** The positions of every representation, in the plan's keys; only needed when there is an error to report. */
export function positionsOf(input: EntityInput, batch: EntityBatch, data: DataObject): Path[][] {
  const indexOf = new Map(batch.targets.map((target, position) => [target, batch.indexes[position] ?? 0]));
  const positions: Path[][] = batch.representations.map(() => []);
  for (const location of input.locations) {
    location.walkWithPath(data, (object, path) => {
      const index = indexOf.get(object);
      if (index !== undefined) {
        positions[index]?.push(path);
      }
    });
  }
  return positions;
}
