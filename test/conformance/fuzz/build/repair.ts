import type { FieldModel, Model, Selection } from '../model.ts';

const UNSATISFIED = /cannot satisfy @require conditions on field "(\w+)\.(\w+)"/g;
const UNUSED = /\[(\w+)\] Field "(\w+)\.(\w+)" is marked @external but is not used/g;

function mentions(selections: readonly Selection[], field: string): boolean {
  return selections.some(
    (selection) =>
      ('name' in selection && selection.name === field) || mentions(selection.selections ?? [], field),
  );
}

const dependsOn = ({ requires }: FieldModel, field: string): boolean =>
  requires !== undefined && mentions(requires.selections, field);

/** Removes a field everywhere, and the fields that may require it. */
function removeField(model: Model, type: string, field: string): void {
  if (model.types[type]?.fields[field] === undefined) {
    return;
  }
  delete model.types[type].fields[field];
  for (const types of Object.values(model.subgraphs)) {
    delete types[type]?.fields[field];
  }
  for (const other of Object.values(model.types)) {
    for (const dependent of Object.values(other.fields).filter((one) => dependsOn(one, field))) {
      removeField(model, other.name, dependent.name);
    }
  }
}

/** Removes from a model the fields that composition has complained about. Returns whether there were any. */
export function repair(model: Model, message: string): boolean {
  const unsatisfied = [...message.matchAll(UNSATISFIED)];
  for (const [, type = '', field = ''] of unsatisfied) {
    const holders = Object.values(model.types).filter(
      ({ name, implementors }) => name === type || implementors.includes(type),
    );
    for (const { name } of holders) {
      removeField(model, name, field);
    }
  }
  const unused = [...message.matchAll(UNUSED)];
  for (const [, subgraph = '', type = '', field = ''] of unused) {
    const types = model.subgraphs[subgraph] ?? {};
    delete types[type]?.fields[field];
    for (const placement of Object.values(types).flatMap(({ fields }) => Object.values(fields))) {
      if (mentions(placement.provides ?? [], field)) {
        delete placement.provides;
      }
    }
  }
  return unsatisfied.length + unused.length > 0;
}
