import {
  type ArgumentModel,
  type FieldModel,
  isAbsent,
  type Model,
  namedType,
  type PlacedType,
  type Placement,
  type TypeModel,
} from '../model.ts';
import { isLeaf } from '../print.ts';
import type { Random } from '../random.ts';

/** The features that steps may leave out, so that other faults can be found while one is known. */
export interface GraphOptions {
  /** Features that the graphs do not have; see `features.ts`. */
  readonly without: ReadonlySet<string>;
}

/** A model that is being made. */
export interface Building {
  readonly random: Random;
  readonly model: Model;
  readonly subgraphs: readonly string[];
  readonly options: GraphOptions;
}

/** Names that many types have, with other types and arguments, so that response keys mean several things. */
const FIELD_NAMES = [
  'size',
  'kind',
  'note',
  'link',
  'part',
  'pals',
  'view',
  'mark',
  'plan',
  'load',
  'base',
  'site',
];

const ARGUMENTS: readonly ArgumentModel[] = [
  { name: 'by', type: 'Int', default: 2 },
  { name: 'at', type: 'Int!' },
  { name: 'unit', type: 'Unit', default: 'CM' },
  { name: 'unit', type: 'Unit!', default: 'INCH' },
  { name: 'flag', type: 'Boolean' },
  { name: 'span', type: 'Span' },
  { name: 'spans', type: '[Span!]' },
  { name: 'ids', type: '[ID!]', default: ['a'] },
  { name: 'any', type: 'JSON' },
];

const LEAF_TYPES = ['Int', 'String', 'Boolean', 'Unit', 'JSON', 'ID', 'Int', 'String'];

const hasFeature = ({ options }: Building, feature: string): boolean => !options.without.has(feature);

/** Whether to use a feature here: never when it is left out. */
export function wants(building: Building, feature: string, percent: number): boolean {
  return building.random.chance(percent) && hasFeature(building, feature);
}

export function addType(building: Building, name: string, kind: TypeModel['kind']): TypeModel {
  const type: TypeModel = { name, kind, implementors: [], fields: {} };
  building.model.types[name] ??= type;
  return building.model.types[name];
}

/** Puts a type into a subgraph. */
export function place(
  { model }: Building,
  subgraph: string,
  type: Pick<PlacedType, 'name'> & Partial<PlacedType>,
): PlacedType {
  const types = model.subgraphs[subgraph] ?? {};
  model.subgraphs[subgraph] = types;
  types[type.name] ??= {
    kind: 'type',
    keys: [],
    isResolvable: true,
    implements: [],
    members: [],
    fields: {},
    ...type,
  };
  return types[type.name] as PlacedType;
}

export function placed({ model }: Building, subgraph: string, type: string): PlacedType | undefined {
  return model.subgraphs[subgraph]?.[type];
}

/** The subgraphs that have a type; stubs that cannot resolve references do not count. */
export function homesOf(building: Building, type: string): string[] {
  return building.subgraphs.filter((subgraph) => placed(building, subgraph, type)?.isResolvable === true);
}

/** The subgraphs that answer a field. */
export function ownersOf(building: Building, type: string, field: string): string[] {
  return building.subgraphs.filter((subgraph) => {
    const placement = placed(building, subgraph, type)?.fields[field];
    return !isAbsent(placement) && placement?.isGone !== true;
  });
}

export function addField(
  building: Building,
  type: string,
  field: FieldModel,
  owners: readonly string[],
): void {
  const { fields } = addType(building, type, 'value');
  fields[field.name] ??= field;
  for (const owner of owners) {
    const isKey =
      placed(building, owner, type)?.keys.some((key) => key.split(' ').includes(field.name)) === true;
    const placement: Placement = owners.length > 1 && !isKey ? { isShareable: true } : {};
    const target = placed(building, owner, type);
    if (target !== undefined) {
      target.fields[field.name] ??= placement;
    }
  }
}

/** A name that the type does not have yet, nor an interface object that stands for it. */
export function freshName({ random, model }: Building, type: string): string {
  const related = Object.values(model.types).filter(
    (other) => other.implementors.includes(type) || model.types[type]?.implementors.includes(other.name),
  );
  const taken = [type, ...related.map(({ name }) => name)].flatMap((name) =>
    Object.keys(model.types[name]?.fields ?? {}),
  );
  const free = FIELD_NAMES.filter((name) => !taken.includes(name));
  return free.length > 0 ? random.pick(free) : `more${taken.length}`;
}

/** Adds lists and non-null to a type. */
export function wrap({ random }: Building, name: string, mayBeList = true): string {
  const inner = random.chance(40) ? `${name}!` : name;
  if (!mayBeList || random.chance(60)) {
    return inner;
  }
  const list = random.chance(15) ? `[[${inner}]${random.chance(40) ? '!' : ''}]` : `[${inner}]`;
  return random.chance(40) ? `${list}!` : list;
}

export function someArguments({ random }: Building, percent = 35): ArgumentModel[] {
  const chosen = random.chance(percent) ? random.sample(ARGUMENTS, 1 + random.int(2)) : [];
  return chosen.filter(({ name }, index) => chosen.findIndex((other) => other.name === name) === index);
}

/** The object types that a value of this type can have, answered by each of these subgraphs. */
export function membersIn({ model }: Building, type: string, owners: readonly string[]): string[] {
  const interfaceObject = model.types[type]?.implementors ?? [];
  if (interfaceObject.length > 0) {
    return [...interfaceObject];
  }
  if (owners.some((owner) => model.subgraphs[owner]?.[type] === undefined)) {
    return [];
  }
  if (model.types[type]?.kind !== 'abstract') {
    return [type];
  }
  const known = (owner: string): string[] =>
    Object.keys(model.subgraphs[owner] ?? {}).filter(
      (name) =>
        model.types[name]?.kind !== 'abstract' &&
        (model.subgraphs[owner]?.[name]?.implements.includes(type) === true ||
          model.subgraphs[owner]?.[type]?.members.includes(name) === true),
    );
  return known(owners[0] ?? '').filter((name) => owners.every((owner) => known(owner).includes(name)));
}

/** The objects, interfaces and unions that a field of all these subgraphs can answer with. */
export function outputsOf(building: Building, owners: readonly string[]): string[] {
  const { model } = building;
  return Object.keys(model.subgraphs[owners[0] ?? ''] ?? {}).filter(
    (name) =>
      model.types[name]?.kind !== 'root' &&
      owners.every((owner) => placed(building, owner, name) !== undefined) &&
      membersIn(building, name, owners).length > 0,
  );
}

/** A field of a random type. */
export function randomField(
  building: Building,
  name: string,
  owners: readonly string[],
  leafPercent: number,
): FieldModel {
  const { random } = building;
  const outputs = outputsOf(building, owners);
  const isSure = owners.length > 1;
  const args = someArguments(building);
  if (outputs.length === 0 || random.chance(leafPercent)) {
    // Many fields of one type can stand under one response key.
    const type = random.chance(40) ? random.pick(['Int', 'String']) : wrap(building, random.pick(LEAF_TYPES));
    return { name, type, args, members: [], isSure };
  }
  const output = random.pick(outputs);
  return { name, type: wrap(building, output), args, members: membersIn(building, output, owners), isSure };
}

export function isComposite(field: FieldModel): boolean {
  return !isLeaf(field.type);
}

export { namedType };
