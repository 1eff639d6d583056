import { findField, matches, type Selection, type TypeModel } from '../model.ts';
import { type Building, isComposite, membersIn, namedType, placed } from './building.ts';

const NUMBERS = [1, 3, 7];

/** Arguments for a field of a field set: those that must be given, and others now and then. */
function argumentsFor(
  building: Building,
  type: string,
  name: string,
): Record<string, number | string> | null {
  const { random } = building;
  const given: Record<string, number | string> = {};
  for (const argument of findField(building.model, type, name).args) {
    const isNeeded = argument.type.endsWith('!') && argument.default === undefined;
    if (!isNeeded && !random.chance(40)) {
      continue;
    }
    const of = namedType(argument.type);
    if (argument.type.startsWith('[') || (of !== 'Int' && of !== 'Unit')) {
      if (isNeeded) {
        return null;
      }
      continue;
    }
    given[argument.name] = of === 'Int' ? random.pick(NUMBERS) : 'MILE';
  }
  return given;
}

/** The object types, in any subgraph, whose field a field of `type` is. */
function typesWith({ model }: Building, type: string, name: string): string[] {
  if (model.types[type]?.fields[name] !== undefined) {
    return [type];
  }
  const members = model.types[type]?.implementors ?? [];
  const isMember = (of: TypeModel): boolean => of.fields[name] !== undefined && matches(model, of.name, type);
  return members.length > 0
    ? members
    : Object.values(model.types)
        .filter(isMember)
        .map((of) => of.name);
}

/** Declares external what a field set needs of others, and makes sure of its values where they are required. */
export function adopt(
  building: Building,
  subgraph: string,
  type: string,
  selections: readonly Selection[],
  { isSure }: { readonly isSure: boolean },
): void {
  const here = placed(building, subgraph, type);
  for (const selection of selections) {
    if ('on' in selection) {
      adopt(building, subgraph, selection.on, selection.selections, { isSure });
    } else if (here !== undefined && selection.name !== '__typename') {
      here.fields[selection.name] ??= { isExternal: true };
      const fields = typesWith(building, type, selection.name).map((of) =>
        findField(building.model, of, selection.name),
      );
      for (const field of fields) {
        field.isSure ||= isSure;
      }
      if (selection.selections !== undefined && fields[0] !== undefined) {
        adopt(building, subgraph, namedType(fields[0].type), selection.selections, { isSure });
      }
    }
  }
}

export function selectField(
  building: Building,
  type: string,
  name: string,
  subgraph: string,
  depth: number,
): Selection | null {
  const { model } = building;
  const field = findField(model, type, name);
  const args = argumentsFor(building, type, name);
  if (args === null) {
    return null;
  }
  const head = Object.keys(args).length === 0 ? { name } : { name, args };
  if (!isComposite(field)) {
    return head;
  }
  const below = selectBelow(building, namedType(field.type), subgraph, depth + 1);
  return below === null ? null : { ...head, selections: below };
}

/** The fields of a type that can be in a field set of a subgraph. */
export function candidates(building: Building, type: string, subgraph: string): string[] {
  const { model } = building;
  const here = placed(building, subgraph, type);
  if (here === undefined) {
    return [];
  }
  const implementor = model.types[type]?.implementors[0];
  const names =
    here.kind === 'interface'
      ? Object.keys(here.fields)
      : [
          ...Object.keys(model.types[type]?.fields ?? {}),
          ...(implementor === undefined ? [] : ['id', 'title', 'cast']),
        ];
  return names.filter((name) => {
    const placement = here.fields[name];
    return placement === undefined
      ? model.types[type]?.kind === 'entity' || here.isInterfaceObject === true
      : placement.isGone !== true && placement.override === undefined;
  });
}

function selectBelow(building: Building, type: string, subgraph: string, depth: number): Selection[] | null {
  const { random, model } = building;
  const here = placed(building, subgraph, type);
  if (here === undefined || depth > 3) {
    return null;
  }
  if (here.kind === 'union' || (here.kind === 'interface' && random.chance(50))) {
    const members = membersIn(building, type, [subgraph]).filter(
      (member) => placed(building, subgraph, member) !== undefined,
    );
    const parts = random.sample(members, 2).flatMap((on): Selection[] => {
      const selections = selectBelow(building, on, subgraph, depth);
      return selections === null ? [] : [{ on, selections }];
    });
    return parts.length === 0 ? null : parts;
  }
  const known = here.isInterfaceObject === true ? (model.types[type]?.implementors[0] ?? type) : type;
  const lookUp = here.kind === 'interface' ? (membersIn(building, type, [subgraph])[0] ?? type) : known;
  const selected = random.sample(candidates(building, type, subgraph), 2).flatMap((name): Selection[] => {
    const of = model.types[type]?.fields[name] === undefined ? lookUp : type;
    if (findField(model, of, name).requires?.subgraph === subgraph) {
      return [];
    }
    const selection = selectField(building, of, name, subgraph, depth);
    return selection === null ? [] : [selection];
  });
  return selected.length === 0 ? null : selected;
}
