import { composeModel } from '../compose.ts';
import type { FieldModel, Model, PlacedType, Selection, TypeModel } from '../model.ts';
import { createRandom } from '../random.ts';
import { addInterfaceObject, addInterfaces, addUnions } from './abstract.ts';
import {
  addField,
  type Building,
  freshName,
  type GraphOptions,
  isComposite,
  namedType,
  ownersOf,
  placed,
  randomField,
  wants,
} from './building.ts';
import { adopt, candidates, selectField } from './field-sets.ts';
import { addOwnFields, addTwinFields, placeEntities, placeValues } from './objects.ts';
import { addProvides } from './provides.ts';
import { repair } from './repair.ts';
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

/** Names of fields that interfaces have: a subgraph with the interface must keep them. */
const OF_INTERFACES = ['name', 'rank', 'area', 'cover', 'title', 'cast'];

/** The subgraphs that can take a field over. */
function takersOf(building: Building, type: TypeModel, field: FieldModel): string[] {
  const of = namedType(field.type);
  return building.subgraphs.filter((subgraph) => {
    const here = placed(building, subgraph, type.name);
    const isKnown =
      !isComposite(field) ||
      (building.model.types[of]?.kind !== 'abstract' && placed(building, subgraph, of) !== undefined);
    return here?.isResolvable === true && here.fields[field.name] === undefined && isKnown;
  });
}

function override(building: Building, type: TypeModel, field: FieldModel): void {
  const [owner = '', ...more] = ownersOf(building, type.name, field.name);
  const takers = takersOf(building, type, field);
  const mayMove = more.length === 0 && field.identity === undefined && !OF_INTERFACES.includes(field.name);
  if (!mayMove || takers.length === 0 || !wants(building, 'override', 15)) {
    return;
  }
  const target = placed(building, building.random.pick(takers), type.name);
  const from = placed(building, owner, type.name)?.fields[field.name];
  if (target === undefined || from === undefined) {
    return;
  }
  if (wants(building, 'overrideLabel', 25)) {
    target.fields[field.name] = { override: { from: owner, label: 'percent(0)' }, isGone: true };
  } else {
    target.fields[field.name] = { override: { from: owner } };
    from.isGone = true;
  }
}

/** Moves fields to another subgraph, with a label now and then: then the field stays. */
function addOverrides(building: Building): void {
  for (const type of Object.values(building.model.types).filter(({ kind }) => kind === 'entity')) {
    for (const field of Object.values(type.fields)) {
      override(building, type, field);
    }
  }
}

/** Adds a field to a type of a subgraph that needs fields which the subgraph does not have. */
function addRequiring(building: Building, subgraph: string, here: PlacedType): void {
  const { random, model } = building;
  const of = here.isInterfaceObject === true ? (model.types[here.name]?.implementors[0] ?? '') : here.name;
  const foreign = candidates(building, here.name, subgraph).filter(
    (name) => here.fields[name]?.isExternal ?? !(name in here.fields),
  );
  const selections = random.sample(foreign, 2).flatMap((name): Selection[] => {
    const selection = selectField(building, of, name, subgraph, 0);
    return selection === null ? [] : [selection];
  });
  if (selections.length > 0) {
    adopt(building, subgraph, here.name, selections, { isSure: true });
    const field = randomField(building, freshName(building, here.name), [subgraph], 55);
    addField(building, here.name, { ...field, requires: { subgraph, selections } }, [subgraph]);
  }
}

/** Fields that one subgraph makes of what others know. */
function addRequires(building: Building): void {
  const { random, model } = building;
  for (const subgraph of random.shuffle(building.subgraphs)) {
    for (const here of Object.values(model.subgraphs[subgraph] ?? {})) {
      const isEntity = model.types[here.name]?.kind === 'entity' || here.isInterfaceObject === true;
      if (isEntity && here.isResolvable && wants(building, 'requires', 60)) {
        addRequiring(building, subgraph, here);
      }
    }
  }
}
