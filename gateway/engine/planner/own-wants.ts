import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { Model } from './model.ts';
import type { RequiresSelection } from './plan.ts';
import type { FieldSet } from './read-model.ts';
import { remember } from './remember.ts';
import { argumentsText } from './response-keys.ts';
import type { References } from './tree.ts';
import { nextWantId, type Want } from './wants.ts';
import { mayBe } from './ways.ts';

/** Reads the field sets of keys and requirements as wants. They are the same for all operations. */
export class OwnWants {
  private readonly known = new Map<string, readonly Want[]>();
  private readonly byNode = new WeakMap<FieldNode, Map<string, Want>>();

  constructor(private readonly model: Model) {}

  /** The selections of a field set on objects of a class. */
  read(cls: string, { text, selectionSet }: FieldSet): readonly Want[] {
    return remember(this.known, `${cls} ${text}`, () => this.readSet(cls, selectionSet));
  }

  private readSet(cls: string, { selections }: SelectionSetNode): readonly Want[] {
    return selections.flatMap((selection): readonly Want[] => {
      if (selection.kind === Kind.FIELD) {
        return selection.name.value === '__typename' ? [] : [this.readField(cls, selection)];
      }
      const applies =
        selection.kind === Kind.INLINE_FRAGMENT &&
        (selection.typeCondition === undefined || mayBe(this.model, cls, selection.typeCondition.name.value));
      return applies ? this.readSet(cls, selection.selectionSet) : [];
    });
  }

  private readField(cls: string, node: FieldNode): Want {
    const type = this.model.returns(cls, node.name.value) ?? '';
    const byType = remember(this.byNode, node, () => new Map<string, Want>());
    return remember(byType, type, () => this.createWant(node, type));
  }

  private createWant(node: FieldNode, type: string): Want {
    const field = node.name.value;
    const set = node.selectionSet;
    const args = argumentsText(node.arguments);
    const types = set === undefined ? [] : this.model.possibleTypes(type);
    return {
      id: nextWantId(),
      key: this.model.ownKey(field, args),
      field,
      args,
      variables: [],
      anyOf: null,
      below:
        set === undefined
          ? null
          : {
              byType: new Map(types.map((one) => [one, this.readSet(one, set)])),
              namesType: this.model.isAbstract(type),
            },
    };
  }
}

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

/** The parts of references to objects of a class: the key, and what is required. */
export function requiresOf(model: Model, cls: string, references: References): RequiresSelection {
  const { entrance } = references[0];
  const sets = new Set([entrance.key, ...references.map(({ requires }) => requires)]);
  const selections = [...sets].flatMap((set) => (set === null ? [] : readRequires(model, set.selectionSet)));
  const own: RequiresSelection = { kind: 'InlineFragment', typeCondition: cls, selections };
  return entrance.owner === cls
    ? own
    : { kind: 'InlineFragment', typeCondition: entrance.owner, selections: [own] };
}
