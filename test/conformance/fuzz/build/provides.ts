import type { FieldModel, PlacedType, Placement, Selection } from '../model.ts';
import { type Building, isComposite, membersIn, namedType, placed, wants } from './building.ts';
import { adopt } from './field-sets.ts';

const MOST_LEVELS = 2;

function provideOfMember(building: Building, subgraph: string, type: string, depth: number): Selection[] {
  const members = membersIn(building, type, [subgraph]).filter((name) => placed(building, subgraph, name));
  return building.random.sample(members, 1).flatMap((on): Selection[] => {
    const selections = provide(building, subgraph, on, depth);
    return selections.length === 0 ? [] : [{ on, selections }];
  });
}

/** Fields that the subgraph has in general, and below which something can be provided. */
function isWayDown(field: FieldModel, here: PlacedType): boolean {
  const placement = here.fields[field.name];
  const isOwn = placement !== undefined && placement.isGone !== true && placement.isExternal !== true;
  const isPlain = field.requires === undefined && field.args.length === 0 && field.members[0] !== 'Query';
  return isOwn && isPlain && isComposite(field);
}

/** Fields that the subgraph does not have in general. Those with arguments cannot be provided. */
function isForeign(field: FieldModel, here: PlacedType): boolean {
  const isMissing = here.fields[field.name]?.isExternal ?? here.fields[field.name] === undefined;
  return isMissing && field.requires === undefined && field.args.length === 0 && !isComposite(field);
}

/** The fields that a subgraph's field that leads to `type` can provide; empty when there is nothing. */
function provide(building: Building, subgraph: string, type: string, depth: number): Selection[] {
  const { random, model } = building;
  const here = placed(building, subgraph, type);
  if (here === undefined || depth > MOST_LEVELS || here.isInterfaceObject === true) {
    return [];
  }
  if (here.kind !== 'type') {
    return provideOfMember(building, subgraph, type, depth);
  }
  const fields = Object.values(model.types[type]?.fields ?? {});
  const isEntity = model.types[type]?.kind === 'entity';
  const foreign = fields.filter((field) => isEntity && isForeign(field, here));
  const flat = random.sample(foreign, 2).map(({ name }): Selection => ({ name }));
  const down = fields.filter((field) => wants(building, 'nestedProvides', 50) && isWayDown(field, here));
  const nested = random.sample(down, 1).flatMap((field): Selection[] => {
    const selections = provide(building, subgraph, namedType(field.type), depth + 1);
    return selections.length === 0 ? [] : [{ name: field.name, selections }];
  });
  const found = [...flat, ...nested];
  return found.length > 0 && wants(building, 'typenameProvides', 20)
    ? [{ name: '__typename' }, ...found]
    : found;
}

/** Fields that a subgraph knows at certain places only. */
export function addProvides(building: Building): void {
  const { model } = building;
  for (const subgraph of building.subgraphs) {
    for (const here of Object.values(model.subgraphs[subgraph] ?? {}).filter(({ kind }) => kind === 'type')) {
      for (const [name, placement] of Object.entries(here.fields)) {
        const field = model.types[here.name]?.fields[name];
        const isOwn = placement.isExternal !== true && placement.isGone !== true;
        if (field !== undefined && isOwn && isComposite(field) && wants(building, 'provides', 30)) {
          addProvided(building, subgraph, field, placement);
        }
      }
    }
  }
}

function addProvided(building: Building, subgraph: string, field: FieldModel, placement: Placement): void {
  const provided = provide(building, subgraph, namedType(field.type), 0);
  if (provided.length > 0) {
    adopt(building, subgraph, namedType(field.type), provided, { isSure: false });
    placement.provides = provided;
  }
}
