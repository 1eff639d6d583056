import type { Model } from '../model.ts';
import { createRandom } from '../random.ts';
import { addInterfaceObject, addInterfaces, addUnions } from './abstract.ts';
import type { Building, GraphOptions } from './building.ts';
import { addOwnFields, addTwinFields, placeEntities, placeValues } from './objects.ts';
import { addOverrides } from './overrides.ts';
import { addProvides } from './provides.ts';
import { addRequires } from './requires.ts';
import { addMutations, addRoots, addSubscriptions } from './roots.ts';
import { secureNonNulls } from './sure.ts';

/** A planner may sort subgraphs by name. */
const SUBGRAPHS = ['amber', 'birch', 'cedar', 'delta', 'ember'];

/** Makes a random graph that depends on its seed alone. */
export function buildModel(seed: string, options: GraphOptions): Model {
  const random = createRandom(seed);
  const model: Model = { types: {}, subgraphs: {} };
  const subgraphs = random.sample(SUBGRAPHS, 2 + random.int(4));
  for (const subgraph of subgraphs) {
    model.subgraphs[subgraph] = {};
  }
  const building: Building = { random, model, subgraphs, options };
  placeEntities(building);
  placeValues(building);
  addInterfaceObject(building);
  addInterfaces(building);
  addUnions(building);
  addTwinFields(building);
  addOwnFields(building);
  addOverrides(building);
  addRequires(building);
  addRoots(building);
  addMutations(building);
  addSubscriptions(building);
  addProvides(building);
  secureNonNulls(model);
  return model;
}
