import {
  addField,
  addType,
  type Building,
  freshName,
  homesOf,
  place,
  placed,
  randomField,
  someArguments,
  wants,
  wrap,
} from './building.ts';

const ENTITIES = ['Ant', 'Bee', 'Cat', 'Dog'];
const SHARED_VALUES = ['Box', 'Tag'];
const LOCAL_VALUES = ['Crate', 'Shelf', 'Drawer'];

/** The fields of a key such as `id ref { code }`. */
const fieldsOf = (key: string): string[] =>
  key
    .replaceAll(/\{[^}]*\}/g, '')
    .split(/\s+/)
    .filter(Boolean);

/** Gives a type the fields that identify its objects, in one subgraph. */
function placeKeyFields(building: Building, subgraph: string, type: string, names: readonly string[]): void {
  const target = placed(building, subgraph, type);
  const { fields } = addType(building, type, 'entity');
  for (const name of names) {
    if (name === 'ref') {
      const refType = `${type}Ref`;
      addType(building, refType, 'value').fields.code = {
        name: 'code',
        type: 'String!',
        args: [],
        members: [],
        isSure: true,
        identity: 'ref',
      };
      place(building, subgraph, { name: refType }).fields.code = { isShareable: true };
      fields.ref ??= {
        name,
        type: `${refType}!`,
        args: [],
        members: [refType],
        isSure: true,
        identity: 'ref',
      };
    } else if (name === 'id' || name === 'code') {
      const of = name === 'id' ? 'ID!' : 'String!';
      fields[name] ??= { name, type: of, args: [], members: [], isSure: true, identity: name };
    }
    const isKey = target?.keys.some((key) => fieldsOf(key).includes(name)) === true;
    if (target !== undefined && name !== '__typename') {
      target.fields[name] ??= isKey ? {} : { isShareable: true };
    }
  }
}

function randomKey({ random, options }: Building): string {
  const names = ['id', 'id', 'code', 'ref { code }'].filter(
    (key) => key !== 'ref { code }' || !options.without.has('nestedKey'),
  );
  return random.pick(names);
}

interface Home {
  readonly keys: readonly string[];
  /** The fields of all keys. */
  readonly fields: readonly string[];
}

/** The key by which a subgraph is reached from another one, and the fields that lead back. */
function sharedKey(
  building: Building,
  from: Home,
): { readonly key: string; readonly fields: readonly string[] } {
  const key = building.random.pick(from.keys);
  const fields = fieldsOf(key);
  const others = from.fields.filter((field) => /^(id|code)$/.test(field) && !fields.includes(field));
  if (key === '__typename' || others.length === 0 || !wants(building, 'compoundKey', 25)) {
    return { key, fields };
  }
  const other = building.random.pick(others);
  return { key: `${key} ${other}`, fields: [...fields, other] };
}

/**
 * Divides an entity: each subgraph but the first shares a key with an earlier one, so that there is a way from each to
 * each. Keys may differ on the way.
 */
export function placeEntity(
  building: Building,
  name: string,
  homes: readonly string[],
  firstKey: string,
): void {
  addType(building, name, 'entity');
  const known: Home[] = [];
  for (const home of homes) {
    const from = known.length === 0 ? { keys: [firstKey], fields: [] } : building.random.pick(known);
    const shared = sharedKey(building, from);
    const extra = randomKey(building);
    const hasExtra =
      firstKey !== '__typename' && !shared.key.includes(extra) && wants(building, 'severalKeys', 40);
    const keys = hasExtra ? [shared.key, extra] : [shared.key];
    const fields = [...new Set([...shared.fields, ...keys.flatMap(fieldsOf)])];
    place(building, home, { name, keys });
    placeKeyFields(building, home, name, fields);
    known.push({ keys, fields });
  }
}

/** A reference to an entity that has nothing else here. */
function placeStub(building: Building, subgraph: string, name: string): void {
  const homes = building.subgraphs.filter((home) => placed(building, home, name)?.isResolvable === true);
  const keys = homes.flatMap((home) => placed(building, home, name)?.keys ?? []);
  if (placed(building, subgraph, name) !== undefined || keys.length === 0) {
    return;
  }
  const key = building.random.pick(keys);
  place(building, subgraph, { name, keys: [key], isResolvable: false });
  placeKeyFields(building, subgraph, name, fieldsOf(key));
}

export function placeEntities(building: Building): void {
  const { random, subgraphs } = building;
  for (const name of ENTITIES.slice(0, 2 + random.int(3))) {
    const homes = random.sample(subgraphs, 1 + random.int(subgraphs.length));
    placeEntity(building, name, homes, randomKey(building));
    for (const subgraph of subgraphs) {
      if (wants(building, 'stub', 15)) {
        placeStub(building, subgraph, name);
      }
    }
  }
  if (wants(building, 'typenameKey', 15)) {
    placeEntity(building, 'Sun', random.sample(subgraphs, 2), '__typename');
  }
}

/** Objects without a key: some that every subgraph knows whole, some that one subgraph has alone. */
export function placeValues(building: Building): void {
  const { random, subgraphs } = building;
  for (const name of SHARED_VALUES) {
    addType(building, name, 'value');
    for (const subgraph of subgraphs) {
      place(building, subgraph, { name });
    }
    const names = random.sample(['w', 'h', 'unit', 'size', 'kind'], 2 + random.int(2));
    for (const field of names) {
      addField(building, name, randomField(building, field, [], 100), subgraphs);
    }
    if (name === 'Tag') {
      addField(
        building,
        name,
        { name: 'box', type: 'Box', args: [], members: ['Box'], isSure: false },
        subgraphs,
      );
    }
  }
  for (const subgraph of random.sample(subgraphs, 3)) {
    const name = LOCAL_VALUES.find((one) => building.model.types[one] === undefined);
    if (name !== undefined && random.chance(60)) {
      addType(building, name, 'value');
      place(building, subgraph, { name });
    }
  }
}

/** The fields that entities and local objects have besides those of keys and interfaces. */
export function addOwnFields(building: Building): void {
  const { random, model } = building;
  for (const type of Object.values(model.types)) {
    const homes = building.subgraphs.filter(
      (subgraph) => placed(building, subgraph, type.name)?.isResolvable,
    );
    const isIt = type.kind === 'entity' || LOCAL_VALUES.includes(type.name);
    for (let count = isIt && homes.length > 0 ? 2 + random.int(5) : 0; count > 0; count--) {
      const owners = wants(building, 'shared', 20) ? random.sample(homes, 2) : [random.pick(homes)];
      const name = freshName(building, type.name);
      addField(building, type.name, randomField(building, name, owners, 45), owners);
    }
  }
}

/** A field of one name and one type that several types have: a selection of it may differ from type to type. */
export function addTwinFields(building: Building): void {
  const { random, model } = building;
  for (const name of ['owner', 'item']) {
    const target = random.pick(Object.values(model.types).filter(({ kind }) => kind === 'entity'));
    const type = wrap(building, target.name);
    const args = someArguments(building);
    for (const holder of Object.values(model.types)) {
      const homes = homesOf(building, holder.name);
      const isIt = holder.kind === 'entity' || LOCAL_VALUES.includes(holder.name);
      if (isIt && homes.length > 0 && wants(building, 'twins', 70)) {
        const home = random.pick(homes);
        placeStub(building, home, target.name);
        addField(building, holder.name, { name, type, args, members: [target.name], isSure: false }, [home]);
      }
    }
  }
}
