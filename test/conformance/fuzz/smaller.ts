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
import type { Model, PlacedType } from './model.ts';
import type { GeneratedOperation } from './writing.ts';

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
function tidy(document: DocumentNode, { variables, features }: GeneratedOperation): GeneratedOperation {
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
  return { query: print(cleaned), variables: Object.fromEntries(left), features };
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
export function* smallerOperations(operation: GeneratedOperation): Generator<GeneratedOperation> {
  const document = parse(operation.query, { noLocation: true });
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
        operation,
      );
    }
  }
  for (const node of removable) {
    yield tidy(visit(document, { enter: (other) => (other === node ? null : undefined) }), operation);
  }
}

/** Takes something from a graph, in place. */
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

/** Ways to make a graph smaller, the largest first. Each may be tried after others. */
export function modelEdits(model: Model): Edit[] {
  const placed = Object.entries(model.subgraphs).flatMap(([subgraph, types]) =>
    Object.values(types).map((type) => [subgraph, type] as const),
  );
  return [
    ...Object.keys(model.subgraphs).map(
      (subgraph): Edit =>
        ({ subgraphs }) =>
          delete subgraphs[subgraph],
    ),
    ...placed.map(
      ([subgraph, { name }]): Edit =>
        ({ subgraphs }) =>
          delete subgraphs[subgraph]?.[name],
    ),
    ...placed.flatMap(([subgraph, type]) => editsOfType(subgraph, type)),
  ];
}
