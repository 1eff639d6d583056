import { composeModel } from '../compose.ts';
import type { Model } from '../model.ts';
import { createRandom } from '../random.ts';
import { addInterfaceObject, addInterfaces, addUnions } from './abstract.ts';
import type { Building, GraphOptions } from './building.ts';
import { addOwnFields, addTwinFields, placeEntities, placeValues } from './objects.ts';
import { addOverrides } from './overrides.ts';
import { addProvides } from './provides.ts';
import { repair } from './repair.ts';
import { addRequires } from './requires.ts';
import { addMutations, addRoots, addSubscriptions } from './roots.ts';
import { secureNonNulls } from './sure.ts';

/** A planner may sort subgraphs by name. */
const SUBGRAPHS = ['amber', 'birch', 'cedar', 'delta', 'ember'];

/** Makes a random graph that depends on its seed alone. */
function buildModel(seed: string, options: GraphOptions): Model {
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

/** A graph and its supergraph. */
export interface ComposedModel {
  readonly model: Model;
  readonly supergraphSdl: string;
}

/** How often a graph is made smaller before it is given up. */
const MOST_REPAIRS = 6;

/**
 * Makes a random graph that composes. Requirements that composition cannot satisfy are removed.
 * @throws with composition's messages when the graph cannot be composed.
 */
export function buildComposedModel(seed: string, options: GraphOptions): ComposedModel {
  const model = buildModel(seed, options);
  for (let repairs = 0; ; repairs++) {
    try {
      return { model, supergraphSdl: composeModel(model) };
    } catch (error) {
      if (repairs === MOST_REPAIRS || !(error instanceof Error) || !repair(model, error.message)) {
        throw error;
      }
    }
  }
}
