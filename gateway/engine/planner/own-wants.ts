import { type FieldNode, Kind, type SelectionSetNode } from 'graphql';
import type { FieldSet, Model } from './model.ts';
import { argumentsText } from './response-keys.ts';
import { nextWantId, type Want } from './wants.ts';
import { mayBe } from './ways.ts';

/** Reads the field sets of keys and requirements as wants. They are the same for all operations. */
export class OwnWants {
  private readonly model: Model;
  private readonly known = new Map<string, readonly Want[]>();
  private readonly byNode = new WeakMap<FieldNode, Map<string, Want>>();

  constructor(model: Model) {
    this.model = model;
  }

  /** What a field set wants of objects of a class. */
  read(cls: string, { text, selectionSet }: FieldSet): readonly Want[] {
    const id = `${cls} ${text}`;
    const known = this.known.get(id) ?? this.readSet(cls, selectionSet);
    this.known.set(id, known);
    return known;
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
    const field = node.name.value;
    const type = this.model.returns(cls, field) ?? '';
    const byType = this.byNode.get(node) ?? new Map<string, Want>();
    this.byNode.set(node, byType);
    const known = byType.get(type);
    if (known !== undefined) {
      return known;
    }
    const set = node.selectionSet;
    const args = argumentsText(node.arguments);
    const types = set === undefined ? [] : this.model.possibleTypes(type);
    const want: Want = {
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
    byType.set(type, want);
    return want;
  }
}
