import type { FieldModel, Model, PlacedType, Placement, Selection } from './model.ts';
import { findField, namedType } from './model.ts';

/**
 * Features that random cases must have had, so that a fuzz without a difference means something. Those of graphs count when a subgraph
 * has answered for them, those of operations when an operation that has them was run.
 */
export const FEATURES = {
  graph: [
    'abstractRequires',
    'compoundKey',
    'interfaceObject',
    'list',
    'mutation',
    'nestedKey',
    'nestedProvides',
    'nestedRequires',
    'override',
    'overrideLabel',
    'payloadQuery',
    'provides',
    'requires',
    'requiresOfRequires',
    'severalKeys',
    'shared',
    'sharedRoot',
    'subscription',
    'typenameKey',
    'typenameProvides',
  ],
  operation: [
    'alias',
    'argument',
    'argumentDefault',
    'deepNesting',
    'exclusiveKeys',
    'fieldCondition',
    'fragmentCondition',
    'inputObject',
    'interface',
    'namedFragment',
    'nestedCondition',
    'twins',
    'union',
    'variable',
    'variableDefault',
  ],
} as const;

/** How often each feature has occurred. */
export type FeatureCounts = Map<string, number>;

export function count(counts: FeatureCounts, features: Iterable<string>): void {
  for (const feature of features) {
    counts.set(feature, (counts.get(feature) ?? 0) + 1);
  }
}

/** The description of the fields of `type` that a field set selects, at every level. */
function requirements(model: Model, type: string, selections: readonly Selection[]): string[] {
  return selections.flatMap((selection): string[] => {
    if ('on' in selection) {
      return ['abstractRequires', ...requirements(model, selection.on, selection.selections)];
    }
    const of = model.types[type]?.fields[selection.name]
      ? type
      : (model.types[type]?.implementors[0] ?? type);
    const field = fieldOf(model, of, selection.name);
    const own = field?.requires === undefined ? [] : ['requiresOfRequires'];
    if (field === undefined || selection.selections === undefined) {
      return own;
    }
    const below = namedType(field.type);
    const abstract = model.types[below]?.kind === 'abstract' ? ['abstractRequires'] : [];
    return ['nestedRequires', ...own, ...abstract, ...requirements(model, below, selection.selections)];
  });
}

function fieldOf(model: Model, type: string, name: string): FieldModel | undefined {
  return model.types[type] === undefined || model.types[type].kind === 'abstract'
    ? undefined
    : findField(model, type, name);
}

function provisions(selections: readonly Selection[]): string[] {
  return selections.flatMap((selection) => {
    const isTypename = 'name' in selection && selection.name === '__typename';
    const below = selection.selections === undefined ? [] : provisions(selection.selections);
    const isNested = 'name' in selection && selection.selections !== undefined;
    return [...(isTypename ? ['typenameProvides'] : []), ...(isNested ? ['nestedProvides'] : []), ...below];
  });
}

/** The shown answer of a subgraph for a field. */
export function featuresOfField(
  model: Model,
  here: PlacedType,
  field: FieldModel,
  placement: Placement,
): string[] {
  const isLabelled = Object.values(model.subgraphs).some(
    (types) => types[here.name]?.fields[field.name]?.override?.label !== undefined,
  );
  const { requires } = field;
  const root = here.name === 'Query' ? 'sharedRoot' : 'shared';
  return [
    ...(here.isInterfaceObject === true && field.identity === undefined ? ['interfaceObject'] : []),
    ...(field.type.includes('[') ? ['list'] : []),
    ...(placement.isShareable === true && field.identity === undefined ? [root] : []),
    ...(placement.override === undefined ? [] : ['override']),
    ...(isLabelled ? ['overrideLabel'] : []),
    ...(requires === undefined ? [] : ['requires', ...requirements(model, here.name, requires.selections)]),
    ...(placement.provides === undefined ? [] : provisions(placement.provides)),
    ...(field.members[0] === 'Query' ? ['payloadQuery'] : []),
    ...(here.name === 'Mutation' ? ['mutation'] : []),
    ...(here.name === 'Subscription' ? ['subscription'] : []),
  ];
}

/** The shown reference that was sent to a subgraph. */
export function featuresOfReference(
  { keys }: PlacedType,
  reference: Readonly<Record<string, unknown>>,
): string[] {
  const isByTypename = keys.includes('__typename');
  const isCompound = keys.some((key) => /^\w+ \w/.test(key) && !key.startsWith('ref {'));
  return [
    ...(isByTypename ? ['typenameKey'] : []),
    ...(typeof reference.ref === 'object' ? ['nestedKey'] : []),
    ...(isCompound ? ['compoundKey'] : []),
    ...(keys.length > 1 ? ['severalKeys'] : []),
  ];
}
