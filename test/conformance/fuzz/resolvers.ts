import { DEFAULT_LIMITS } from '../../../gateway/engine/index.ts';
import {
  createTestGraph,
  type TestGraph,
  type TestReferences,
  type TestResolver,
  type TestResolvers,
  type TestSubgraph,
  type TestSubscription,
} from '../../../gateway/engine/testing/index.ts';
import type { ComposedModel } from './build/index.ts';
import { count, featuresOfField, featuresOfReference } from './features.ts';
import type { FieldModel, Model, PlacedType, Selection } from './model.ts';
import { printSubgraphs } from './print.ts';
import { fieldValue, type RunState, requiredText, seedOfReference, type Thing } from './world.ts';

type Fields = Record<string, TestResolver | TestSubscription>;

/** The selections of a field in what is provided for an object. */
function selectionsOf(provided: readonly Selection[], name: string, typename: string): readonly Selection[] {
  return provided.flatMap((selection) => {
    if ('on' in selection) {
      return selection.on === typename ? selectionsOf(selection.selections, name, typename) : [];
    }
    return selection.name === name ? [selection] : [];
  });
}

interface Where {
  readonly model: Model;
  readonly state: RunState;
  /** `null` for the one schema. */
  readonly subgraph: string | null;
}

const asThing = (source: Record<string, unknown> | undefined, type: string): Thing =>
  source === undefined || type === 'Query' ? { __typename: type, seed: type } : (source as unknown as Thing);

function createResolver({ model, state, subgraph }: Where, type: string, field: FieldModel): TestResolver {
  const here = subgraph === null ? undefined : model.subgraphs[subgraph]?.[type];
  const placement = here?.fields[field.name];
  const features =
    here === undefined || placement === undefined ? [] : featuresOfField(model, here, field, placement);
  return (source, args) => {
    const thing = asThing(source, type);
    const provided =
      thing.provided === undefined ? [] : selectionsOf(thing.provided, field.name, thing.__typename);
    if (placement?.isGone === true) {
      throw new Error(`${type}.${field.name} is another subgraph's now.`);
    }
    if (placement?.isExternal === true && provided.length === 0) {
      throw new Error(`${type}.${field.name} is external to ${String(subgraph)} and not provided here.`);
    }
    count(state.features, provided.length > 0 ? ['provides', ...features] : features);
    if (type === 'Mutation') {
      state.ticks += 1;
    }
    const below = [...(placement?.provides ?? []), ...provided.flatMap(({ selections }) => selections ?? [])];
    return fieldValue(model, {
      thing,
      field,
      args,
      isAsync: state.isAsync,
      extra: type === 'Mutation' ? ` ${state.ticks}` : requiredText(model, thing, field, subgraph),
      ...(below.length > 0 && { provided: below }),
    });
  };
}

function createSubscription(where: Where, type: string, field: FieldModel): TestSubscription {
  const resolve = createResolver(where, type, field);
  return {
    async *subscribe() {
      yield { __typename: type, seed: 'event 1' };
      yield { __typename: type, seed: 'event 2' };
    },
    resolve,
  };
}

function resolversOf(where: Where, type: string, fields: readonly FieldModel[]): Fields {
  return Object.fromEntries(
    fields.map((field) => [
      field.name,
      type === 'Subscription' ? createSubscription(where, type, field) : createResolver(where, type, field),
    ]),
  );
}

function referencesOf(types: Readonly<Record<string, PlacedType>>, state: RunState): TestReferences {
  const resolvable = Object.values(types).filter(({ keys, isResolvable }) => keys.length > 0 && isResolvable);
  return Object.fromEntries(
    resolvable.map((placed) => [
      placed.name,
      (reference: Record<string, unknown>): Thing => {
        const { name, kind } = placed;
        count(state.features, featuresOfReference(placed, reference));
        const seed = seedOfReference(reference);
        return { __typename: kind === 'interface' ? (seed.split(':')[0] ?? name) : name, seed, reference };
      },
    ]),
  );
}

function subgraphOf(model: Model, state: RunState, subgraph: string, typeDefs: string): TestSubgraph {
  const types = model.subgraphs[subgraph] ?? {};
  const resolvers: Record<string, Fields> = {};
  for (const placed of Object.values(types).filter(({ kind }) => kind === 'type')) {
    const known = { ...fieldsBehind(model, placed), ...model.types[placed.name]?.fields };
    const fields = Object.values(known).filter((field) => Object.hasOwn(placed.fields, field.name));
    resolvers[placed.name] = resolversOf({ model, state, subgraph }, placed.name, fields);
  }
  return { typeDefs, resolvers, references: referencesOf(types, state) };
}

/** The fields of the interface that an interface object stands for. */
function fieldsBehind(model: Model, placed: PlacedType): Record<string, FieldModel> {
  const [first] = placed.isInterfaceObject === true ? (model.types[placed.name]?.implementors ?? []) : [];
  return first === undefined ? {} : (model.types[first]?.fields ?? {});
}

/** The graph of a model, running: in subgraphs, and as one schema. */
export function createFuzzGraph({ model, supergraphSdl }: ComposedModel, state: RunState): TestGraph {
  const subgraphs = Object.entries(printSubgraphs(model, { hasTypenames: false })).map(
    ([name, typeDefs]) => [name, subgraphOf(model, state, name, typeDefs)] as const,
  );
  const resolvers: TestResolvers = Object.fromEntries(
    Object.values(model.types).map((type) => [
      type.name,
      resolversOf({ model, state, subgraph: null }, type.name, Object.values(type.fields)),
    ]),
  );
  return createTestGraph({
    subgraphs: Object.fromEntries(subgraphs),
    resolvers,
    supergraphSdl,
    engine: {
      limits: { ...DEFAULT_LIMITS, depth: 30, aliases: 1_000, rootFields: 100, tokens: 10_000, cost: 1e12 },
    },
  });
}
