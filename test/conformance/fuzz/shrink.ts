import {
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from 'graphql';
import { createComparison, type Difference } from './compare.ts';
import type { Model, PlacedType } from './model.ts';
import { createFuzzGraph } from './resolvers.ts';
import { type Failure, isValid } from './run.ts';
import type { RunState } from './world.ts';
import type { GeneratedOperation } from './writing.ts';

/** Whether the same kind of difference is still there; `null` where it is not, or where the case is no longer valid. */
type Judge = (model: Model, operation: GeneratedOperation) => Promise<Difference | null>;

function openModel(model: Model, state: RunState): ReturnType<typeof createFuzzGraph> | null {
  try {
    return createFuzzGraph(model, state);
  } catch {
    // A smaller graph that cannot be composed is none.
    return null;
  }
}

/** Judges cases; a graph is opened once for all operations on it. */
function createJudge(what: string): Judge {
  let opened:
    | { readonly text: string; readonly graph: ReturnType<typeof createFuzzGraph> | null }
    | undefined;
  const state: RunState = { ticks: 0, isAsync: false };
  return async (model, operation) => {
    const text = JSON.stringify(model);
    if (opened?.text !== text) {
      opened = { text, graph: openModel(model, state) };
    }
    const { graph } = opened;
    if (graph === null || !isValid(graph, operation)) {
      return null;
    }
    const difference = await createComparison(graph, state).compareEveryWay(operation);
    return difference?.what === what ? difference : null;
  };
}

function namesOf(node: ASTNode, kind: Kind.VARIABLE | Kind.FRAGMENT_SPREAD): Set<string> {
  const names = new Set<string>();
  visit(node, {
    VariableDefinition: () => false,
    Variable: ({ name }) => void (kind === Kind.VARIABLE && names.add(name.value)),
    FragmentSpread: ({ name }) => void (kind === Kind.FRAGMENT_SPREAD && names.add(name.value)),
  });
  return names;
}

/** Removes fragments and variables that nothing uses. */
function tidy(document: DocumentNode, variables: GeneratedOperation['variables']): GeneratedOperation {
  let definitions = document.definitions;
  for (let before = -1; before !== definitions.length; ) {
    before = definitions.length;
    const used = namesOf({ ...document, definitions }, Kind.FRAGMENT_SPREAD);
    definitions = definitions.filter(
      (node) => node.kind !== Kind.FRAGMENT_DEFINITION || used.has(node.name.value),
    );
  }
  const used = namesOf({ ...document, definitions }, Kind.VARIABLE);
  const cleaned = visit(
    { ...document, definitions },
    { VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null) },
  );
  const left = Object.entries(variables).filter(([name]) => used.has(name));
  return { query: print(cleaned), variables: Object.fromEntries(left) };
}

function replaced(set: SelectionSetNode, index: number, by: readonly SelectionNode[]): SelectionSetNode {
  return {
    ...set,
    selections: [...set.selections.slice(0, index), ...by, ...set.selections.slice(index + 1)],
  };
}

/** Ways to make a selection set smaller by one step. */
function smallerSets(
  set: SelectionSetNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): SelectionSetNode[] {
  return set.selections.flatMap((selection, index) => {
    const found = set.selections.length > 1 ? [replaced(set, index, [])] : [];
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      found.push(replaced(set, index, selection.selectionSet.selections));
    }
    if (selection.kind === Kind.FRAGMENT_SPREAD) {
      const fragment = fragments.get(selection.name.value);
      if (fragment !== undefined) {
        const { typeCondition, selectionSet } = fragment;
        const { directives = [] } = selection;
        found.push(
          replaced(set, index, [{ kind: Kind.INLINE_FRAGMENT, typeCondition, selectionSet, directives }]),
        );
      }
    }
    if (selection.kind === Kind.FIELD && selection.alias !== undefined) {
      const { alias: _, ...plain } = selection;
      found.push(replaced(set, index, [plain]));
    }
    return found;
  });
}

/** Ways to make an operation smaller by one step, the largest first. */
function* smallerOperations({ query, variables }: GeneratedOperation): Generator<GeneratedOperation> {
  const document = parse(query, { noLocation: true });
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node]] : [],
    ),
  );
  const sets: SelectionSetNode[] = [];
  const removable = new Set<ASTNode>();
  visit(document, {
    SelectionSet: (node) => void sets.push(node),
    Directive: (node) => void removable.add(node),
    Argument: (node) => void removable.add(node),
    ObjectField: (node) => void removable.add(node),
  });
  for (const set of sets) {
    for (const smaller of smallerSets(set, fragments)) {
      yield tidy(
        visit(document, { SelectionSet: (node) => (node === set ? smaller : undefined) }),
        variables,
      );
    }
  }
  for (const node of removable) {
    yield tidy(visit(document, { enter: (other) => (other === node ? null : undefined) }), variables);
  }
}

type Edit = (model: Model) => void;

const PARTS = ['implements', 'members', 'keys'] as const;

/** Ways to take something from what a subgraph has of a type. */
function editsOfType(subgraph: string, type: PlacedType): Edit[] {
  const edit =
    (change: (placed: PlacedType) => void): Edit =>
    (model) => {
      const placed = model.subgraphs[subgraph]?.[type.name];
      if (placed !== undefined) {
        change(placed);
      }
    };
  return [
    ...PARTS.flatMap((part) =>
      type[part].map((_, index) => edit((placed) => void placed[part].splice(index, 1))),
    ),
    ...Object.entries(type.fields).flatMap(([name, { provides }]) => [
      edit(({ fields }) => delete fields[name]),
      ...(provides === undefined ? [] : [edit(({ fields }) => delete fields[name]?.provides)]),
    ]),
  ];
}

/** Ways to make a graph smaller by one step, the largest first. */
function* smallerModels(model: Model): Generator<Model> {
  const placed = Object.entries(model.subgraphs).flatMap(([subgraph, types]) =>
    Object.values(types).map((type) => [subgraph, type] as const),
  );
  const edits: Edit[] = [
    ...Object.keys(model.subgraphs).map(
      (subgraph) =>
        ({ subgraphs }: Model) =>
          delete subgraphs[subgraph],
    ),
    ...placed.map(
      ([subgraph, { name }]) =>
        ({ subgraphs }: Model) =>
          delete subgraphs[subgraph]?.[name],
    ),
    ...placed.flatMap(([subgraph, type]) => editsOfType(subgraph, type)),
  ];
  for (const edit of edits) {
    const smaller = structuredClone(model);
    edit(smaller);
    yield smaller;
  }
}

async function firstOf<T>(
  candidates: Iterable<T>,
  isGood: (candidate: T) => Promise<boolean>,
): Promise<T | undefined> {
  for (const candidate of candidates) {
    if (await isGood(candidate)) {
      return candidate;
    }
  }
  return undefined;
}

const SHRINKING_MS = 60_000;

/** Makes a failing case as small as one minute allows. */
export async function shrink(failure: Failure, budgetMs = SHRINKING_MS): Promise<Failure> {
  const judge = createJudge(failure.difference.what);
  const endsAt = performance.now() + budgetMs;
  let current = failure;
  const isLeft = (): boolean => performance.now() < endsAt;
  async function attempt(part: Partial<Pick<Failure, 'model' | 'generated'>>): Promise<boolean> {
    if (!isLeft()) {
      return false;
    }
    const { model, generated } = { ...current, ...part };
    const difference = await judge(model, generated).catch(() => null);
    if (difference !== null) {
      current = { ...current, model, generated, difference };
    }
    return difference !== null;
  }
  for (let hasChanged = true; hasChanged && isLeft(); ) {
    hasChanged = false;
    while (
      (await firstOf(smallerOperations(current.generated), (generated) => attempt({ generated }))) !==
      undefined
    ) {
      hasChanged = true;
    }
    while ((await firstOf(smallerModels(current.model), (model) => attempt({ model }))) !== undefined) {
      hasChanged = true;
    }
  }
  return current;
}
