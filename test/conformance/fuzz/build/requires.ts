import type { PlacedType, Selection } from '../model.ts';
import { addField, type Building, freshName, randomField, wants } from './building.ts';
import { adopt, candidates, selectField } from './field-sets.ts';

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
export function addRequires(building: Building): void {
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
