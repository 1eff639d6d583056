import { type FieldModel, findField, type Model, type Selection } from '../model.ts';

/** The object types that field sets look into. */
function typesBelow(model: Model, type: string, selections: readonly Selection[]): string[] {
  return selections.flatMap((selection): string[] => {
    if ('on' in selection) {
      return typesBelow(model, selection.on, selection.selections);
    }
    if (selection.selections === undefined) {
      return [];
    }
    const { members } = findField(
      model,
      model.types[type]?.fields[selection.name] ? type : firstOf(model, type),
      selection.name,
    );
    const below = selection.selections;
    return members.flatMap((member) => [
      member,
      ...typesBelow(
        model,
        member,
        below.filter((one) => !('on' in one) || one.on === member),
      ),
    ]);
  });
}

const firstOf = (model: Model, type: string): string => model.types[type]?.implementors[0] ?? type;

function fieldsOf(model: Model, type: string): FieldModel[] {
  const adding = Object.values(model.types).filter(({ implementors }) => implementors.includes(type));
  return [type, ...adding.map(({ name }) => name)].flatMap((name) =>
    Object.values(model.types[name]?.fields ?? {}),
  );
}

/**
 * Makes sure of fields that must not be null in objects that `@requires` looks into, and in interface objects. If one failed,
 * the subgraph's object would be null for the client's selection and for the requirement alike: what a gateway answers then
 * depends on what it fetches together, and no specification says which is right.
 */
export function secureNonNulls(model: Model): void {
  const waiting = Object.values(model.types).flatMap((type) => [
    ...(type.implementors.length > 0 ? [type.name] : []),
    ...Object.values(type.fields).flatMap((field) =>
      typesBelow(model, type.name, field.requires?.selections ?? []),
    ),
  ]);
  const seen = new Set<string>();
  for (let type = waiting.pop(); type !== undefined; type = waiting.pop()) {
    if (seen.has(type)) {
      continue;
    }
    seen.add(type);
    for (const field of fieldsOf(model, type).filter((one) => one.type.includes('!'))) {
      field.isSure = true;
      waiting.push(...field.members);
    }
  }
}
