import { Kind, type SelectionSetNode } from 'graphql';
import type { Model } from './model.ts';
import type { RequiresSelection } from './plan.ts';
import { argumentsText } from './response-keys.ts';
import type { Reference } from './tree.ts';

function readRequires(model: Model, { selections }: SelectionSetNode): RequiresSelection[] {
  return selections.flatMap((selection): RequiresSelection[] => {
    if (selection.kind === Kind.FIELD) {
      const field = selection.name.value;
      const name = model.ownKey(field, argumentsText(selection.arguments));
      const below = selection.selectionSet === undefined ? [] : readRequires(model, selection.selectionSet);
      return [{ kind: 'Field', name, alias: name === field ? undefined : field, selections: below }];
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      return [];
    }
    const below = readRequires(model, selection.selectionSet);
    const condition = selection.typeCondition?.name.value;
    return condition === undefined
      ? below
      : [{ kind: 'InlineFragment', typeCondition: condition, selections: below }];
  });
}

/** The parts of references to objects of a class. */
export function requiresOf(model: Model, cls: string, { entrance, requires }: Reference): RequiresSelection {
  const sets = [entrance.key, requires].flatMap((set) =>
    set === null ? [] : readRequires(model, set.selectionSet),
  );
  const own: RequiresSelection = { kind: 'InlineFragment', typeCondition: cls, selections: sets };
  return entrance.owner === cls
    ? own
    : { kind: 'InlineFragment', typeCondition: entrance.owner, selections: [own] };
}
