import {
  type DirectiveNode,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { BatchFetchNode, FetchNode, PlanNode, PlanPath, RequiresSelection } from '../plan.ts';
import { mapFetches } from './map-fetches.ts';

/** The condition that all selections of a position share, by position; `null` for none. */
type Conditions = Map<string, DirectiveNode | null>;

interface Restoring {
  readonly conditions: Conditions;
  /** Names that fetches need from other fetches: they must not depend on what the client wants to see. */
  readonly required: ReadonlySet<string>;
  /** Variables that already decide whether the fetch is made. */
  readonly decided: ReadonlySet<string>;
  readonly definitions: readonly VariableDefinitionNode[];
  /** Variables that a fetch needs in addition. */
  readonly added: Set<string>;
}

const ROOT = '';

const below = (path: string, key: string): string => `${path}.${key}`;

function keyOf(node: { readonly alias?: { value: string } | undefined; readonly name: { value: string } }) {
  return node.alias?.value ?? node.name.value;
}

function variableOf(directive: DirectiveNode): string {
  const value = directive.arguments?.[0]?.value;
  return value?.kind === Kind.VARIABLE ? value.name.value : '';
}

function note(conditions: Conditions, path: string, directive: DirectiveNode | null): void {
  const known = conditions.get(path);
  const isSame =
    known !== undefined && known !== null && directive !== null && print(known) === print(directive);
  conditions.set(path, known === undefined || isSame ? directive : null);
}

function readConditions(set: SelectionSetNode | undefined, path: string, conditions: Conditions): void {
  for (const selection of set?.selections ?? []) {
    if (selection.kind === Kind.FIELD) {
      const own = below(path, keyOf(selection));
      note(conditions, own, selection.directives?.[0] ?? null);
      readConditions(selection.selectionSet, own, conditions);
    } else if (selection.kind === Kind.INLINE_FRAGMENT) {
      readConditions(selection.selectionSet, path, conditions);
    }
  }
}

function noteRequired(selections: readonly RequiresSelection[], names: Set<string>): void {
  for (const selection of selections) {
    if (selection.kind === 'Field') {
      names.add(selection.name).add(selection.alias ?? selection.name);
    }
    noteRequired(selection.selections ?? [], names);
  }
}

function requiredNames(node: PlanNode | null | undefined, names = new Set<string>()): Set<string> {
  switch (node?.kind) {
    case 'Sequence':
    case 'Parallel':
      for (const child of node.nodes) {
        requiredNames(child, names);
      }
      break;
    case 'Condition':
      requiredNames(node.ifClause, names);
      requiredNames(node.elseClause, names);
      break;
    case 'Flatten':
      requiredNames(node.node, names);
      break;
    case 'Fetch':
      noteRequired(node.requires ?? [], names);
      break;
    case 'BatchFetch':
      for (const alias of node.entityBatch.aliases) {
        noteRequired(alias.requires, names);
      }
      break;
  }
  return names;
}

/** The condition that the client put on the field at all of these positions. */
function lostCondition(restoring: Restoring, paths: readonly string[]): DirectiveNode | null {
  const found = paths.map((path) => restoring.conditions.get(path) ?? null);
  const [first = null] = found;
  const isSame = first !== null && found.every((one) => one !== null && print(one) === print(first));
  return isSame && !restoring.decided.has(variableOf(first)) ? first : null;
}

function restoreIn(restoring: Restoring, set: SelectionSetNode, paths: readonly string[]): SelectionSetNode {
  return {
    ...set,
    selections: set.selections.map((selection) => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        return selection;
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) {
        return { ...selection, selectionSet: restoreIn(restoring, selection.selectionSet, paths) };
      }
      const key = keyOf(selection);
      const own = paths.map((path) => below(path, key));
      const isFree = (selection.directives ?? []).length === 0 && !restoring.required.has(key);
      const lost = isFree ? lostCondition(restoring, own) : null;
      if (lost !== null) {
        restoring.added.add(variableOf(lost));
      }
      return {
        ...selection,
        ...(lost === null ? {} : { directives: [lost] }),
        ...(selection.selectionSet === undefined
          ? {}
          : { selectionSet: restoreIn(restoring, selection.selectionSet, own) }),
      };
    }),
  };
}

function withVariables(operation: OperationDefinitionNode, restoring: Restoring): OperationDefinitionNode {
  const known = operation.variableDefinitions ?? [];
  const names = new Set(known.map((node) => node.variable.name.value));
  const added = restoring.definitions.filter(({ variable: { name } }) => restoring.added.has(name.value));
  const missing = added.filter(({ variable }) => !names.has(variable.name.value));
  return { ...operation, variableDefinitions: [...known, ...missing] };
}

type Fetch = Pick<FetchNode, 'operation' | 'variableUsages'>;

/** @param pathsOf the positions of what a root field of the fetch answers; `null` for root fields of the operation */
function restoreFetch<T extends Fetch>(
  restoring: Restoring,
  fetch: T,
  pathsOf: (key: string) => readonly string[] | null,
): T {
  const document = parse(fetch.operation, { noLocation: true });
  const own: Restoring = { ...restoring, added: new Set() };
  const definitions = document.definitions.map((node): DocumentNode['definitions'][number] => {
    if (node.kind !== Kind.OPERATION_DEFINITION) {
      return node;
    }
    const selections = node.selectionSet.selections.flatMap((selection) => {
      const paths = selection.kind === Kind.FIELD ? pathsOf(keyOf(selection)) : null;
      const inner = selection.kind === Kind.FIELD ? selection.selectionSet : undefined;
      return paths === null || inner === undefined
        ? restoreIn(own, { kind: Kind.SELECTION_SET, selections: [selection] }, [ROOT]).selections
        : [{ ...selection, selectionSet: restoreIn(own, inner, paths) }];
    });
    const selectionSet: SelectionSetNode = { kind: Kind.SELECTION_SET, selections };
    return withVariables({ ...node, selectionSet }, own);
  });
  if (own.added.size === 0) {
    return fetch;
  }
  const usages = new Set([...(fetch.variableUsages ?? []), ...own.added]);
  return { ...fetch, operation: print({ ...document, definitions }), variableUsages: [...usages] };
}

function positionOf(path: PlanPath): string {
  return path.reduce(
    (position, segment) =>
      typeof segment === 'object' && 'Field' in segment ? below(position, segment.Field) : position,
    ROOT,
  );
}

function restoreBatch(restoring: Restoring, node: BatchFetchNode): BatchFetchNode {
  const paths = new Map(
    node.entityBatch.aliases.map((alias) => [alias.alias, alias.paths.map((path) => positionOf(path))]),
  );
  return restoreFetch(restoring, node, (key) => paths.get(key) ?? null);
}

/**
 * Puts conditions back on fields where the planner lost them (Hive Router 0.0.38 does so where a field leads on to
 * another subgraph). Without them a subgraph is sent what the client does not want, and its failure would show.
 *
 * @param operation what was planned, in normal form
 */
export function restoreConditions(operation: OperationDefinitionNode, plan: PlanNode): PlanNode {
  const conditions: Conditions = new Map();
  readConditions(operation.selectionSet, ROOT, conditions);
  if ([...conditions.values()].every((condition) => condition === null)) {
    return plan;
  }
  const restoring = {
    conditions,
    required: requiredNames(plan),
    definitions: operation.variableDefinitions ?? [],
    added: new Set<string>(),
  };
  return mapFetches(plan, {
    fetch: (node, { path, decided }) => {
      const positions = path === null ? null : [positionOf(path)];
      return restoreFetch({ ...restoring, decided }, node, () => positions);
    },
    batch: (node, { decided }) => restoreBatch({ ...restoring, decided }, node),
  });
}
