import type { FieldModel, TypeModel } from '../model.ts';
import { type Building, isComposite, namedType, ownersOf, placed, wants } from './building.ts';

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
export function addOverrides(building: Building): void {
  for (const type of Object.values(building.model.types).filter(({ kind }) => kind === 'entity')) {
    for (const field of Object.values(type.fields)) {
      override(building, type, field);
    }
  }
}
