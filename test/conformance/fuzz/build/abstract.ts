import type { FieldModel } from '../model.ts';
import {
  addField,
  addType,
  type Building,
  homesOf,
  ownersOf,
  place,
  placed,
  someArguments,
  wants,
  wrap,
} from './building.ts';
import { placeEntity } from './objects.ts';

interface Interface {
  readonly name: string;
  readonly implementors: readonly string[];
  readonly fields: readonly string[];
}

const INTERFACE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  Node: ['id'],
  Named: ['name', 'rank'],
  Sized: ['area', 'cover'],
};
const UNIONS = ['Hit', 'Any'];
const BEHIND = ['Book', 'Film', 'Song'];

function interfaceField(building: Building, name: string): FieldModel {
  const { random } = building;
  if (['cover', 'rank', 'cast'].includes(name)) {
    return {
      name,
      type: wrap(building, 'Box'),
      args: someArguments(building),
      members: ['Box'],
      isSure: false,
    };
  }
  const type = wrap(building, random.pick(['Int', 'String', 'Unit']));
  return { name, type, args: someArguments(building), members: [], isSure: false };
}

function addInterfaceFields(building: Building, { implementors, fields }: Interface): void {
  for (const name of fields.filter((field) => field !== 'id')) {
    const field = interfaceField(building, name);
    const preferred = building.random.pick(building.subgraphs);
    for (const type of implementors) {
      const homes = homesOf(building, type);
      const owner = homes.includes(preferred) ? preferred : building.random.pick(homes);
      addField(building, type, { ...field }, [owner]);
    }
  }
}

/** In each subgraph an interface has the fields that all of its types have there. */
function placeInterface(building: Building, { name, implementors, fields }: Interface): void {
  for (const subgraph of building.subgraphs) {
    const here = implementors.filter((type) => placed(building, subgraph, type)?.isResolvable === true);
    const known = fields.filter((field) =>
      here.every((type) => ownersOf(building, type, field).includes(subgraph)),
    );
    if (here.length > 0 && known.length > 0) {
      const target = place(building, subgraph, { name, kind: 'interface' });
      for (const field of known) {
        target.fields[field] = {};
      }
      for (const type of here) {
        placed(building, subgraph, type)?.implements.push(name);
      }
    }
  }
}

/** Interfaces without a key. */
export function addInterfaces(building: Building): void {
  const { random, model } = building;
  for (const [name, fields] of Object.entries(INTERFACE_FIELDS)) {
    const fitting = Object.values(model.types).filter(
      (type) =>
        homesOf(building, type.name).length > 0 &&
        (name === 'Node'
          ? type.fields.id?.identity === 'id'
          : type.kind === 'entity' || (type.kind === 'value' && homesOf(building, type.name).length === 1)) &&
        !type.name.endsWith('Ref'),
    );
    if (fitting.length > 1 && wants(building, 'interface', 75)) {
      addType(building, name, 'abstract');
      const implementors = random.sample(fitting, 2 + random.int(3)).map((type) => type.name);
      const made = { name, implementors, fields };
      addInterfaceFields(building, made);
      placeInterface(building, made);
    }
  }
}

/** Unions, of other members in each subgraph. */
export function addUnions(building: Building): void {
  const { random, model, subgraphs } = building;
  for (const name of UNIONS) {
    addType(building, name, 'abstract');
    for (const subgraph of subgraphs) {
      const fitting = Object.values(model.subgraphs[subgraph] ?? {}).filter(
        (type) =>
          type.kind === 'type' &&
          type.isInterfaceObject !== true &&
          type.name !== 'Query' &&
          !type.name.endsWith('Ref'),
      );
      if (wants(building, 'union', 65) && fitting.length > 0) {
        const members = random.sample(fitting, 1 + random.int(4)).map((type) => type.name);
        place(building, subgraph, { name, kind: 'union', members });
      }
    }
  }
}

/** An interface that is an entity: one subgraph knows its types, others add fields to all of them. */
export function addInterfaceObject(building: Building): void {
  const { random, subgraphs } = building;
  if (subgraphs.length < 2 || !wants(building, 'interfaceObject', 60)) {
    return;
  }
  const [home = '', ...others] = random.shuffle(subgraphs);
  const adding = others.splice(0, 1 + random.int(Math.min(2, others.length)));
  const names = BEHIND.slice(0, 2 + random.int(2));
  const media = addType(building, 'Media', 'abstract');
  media.implementors.push(...names);
  for (const name of names) {
    const homes = [home, ...random.sample(others, 1).filter(() => random.chance(40))];
    placeEntity(building, name, homes, 'id');
  }
  const made = { name: 'Media', implementors: names, fields: ['title', 'cast'] };
  for (const name of made.fields) {
    const field = interfaceField(building, name);
    for (const type of names) {
      addField(building, type, { ...field }, [home]);
    }
  }
  const target = place(building, home, { name: 'Media', kind: 'interface', keys: ['id'] });
  for (const field of ['id', ...made.fields]) {
    target.fields[field] = {};
  }
  for (const name of names) {
    placed(building, home, name)?.implements.push('Media');
  }
  for (const subgraph of adding) {
    place(building, subgraph, { name: 'Media', isInterfaceObject: true, keys: ['id'] }).fields.id = {};
  }
}
