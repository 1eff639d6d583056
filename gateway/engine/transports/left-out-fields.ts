import { type DocumentNode, Kind, parse, type SelectionSetNode } from 'graphql';
import type { SubgraphError, SubgraphFetch, SubgraphResponse } from './transport.ts';

/** The fields that every object of a place has, for all variables. */
interface Shape {
  readonly fields: readonly { readonly key: string; readonly below: Shape | null }[];
  /** Further fields of objects with this `__typename`. */
  readonly ofTypes: readonly { readonly name: string; readonly shape: Shape }[];
}

/** The number of fields that a report names. */
const MOST_NAMED = 10;
/** Most lists in each other. No schema has more, and a stack has an end. */
const MOST_LISTS = 16;

type Path = readonly (string | number)[];

function isUnconditional({
  directives = [],
}: {
  readonly directives?: readonly unknown[] | undefined;
}): boolean {
  return directives.length === 0;
}

function shapeOf({ selections }: SelectionSetNode): Shape {
  const sure = selections.filter(isUnconditional);
  return {
    fields: sure.flatMap((node) =>
      node.kind === Kind.FIELD
        ? [
            {
              key: (node.alias ?? node.name).value,
              below: node.selectionSet === undefined ? null : shapeOf(node.selectionSet),
            },
          ]
        : [],
    ),
    ofTypes: sure.flatMap((node) =>
      node.kind === Kind.INLINE_FRAGMENT && node.typeCondition !== undefined
        ? [{ name: node.typeCondition.name.value, shape: shapeOf(node.selectionSet) }]
        : [],
    ),
  };
}

function rootShape(document: DocumentNode): Shape {
  const operation = document.definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  return operation === undefined ? { fields: [], ofTypes: [] } : shapeOf(operation.selectionSet);
}

interface Search {
  /** The path to the present value. */
  readonly trail: (string | number)[];
  readonly found: Path[];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function searchValue(search: Search, value: unknown, shape: Shape, lists: number): void {
  if (Array.isArray(value)) {
    if (lists < MOST_LISTS) {
      const at = search.trail.push(0) - 1;
      for (let index = 0; index < value.length; index++) {
        search.trail[at] = index;
        searchValue(search, value[index], shape, lists + 1);
      }
      search.trail.pop();
    }
  } else if (isObject(value)) {
    searchObject(search, value, shape);
  }
}

function searchObject(
  search: Search,
  object: Readonly<Record<string, unknown>>,
  { fields, ofTypes }: Shape,
): void {
  for (const { key, below } of fields) {
    const value = object[key];
    if (value === undefined) {
      if (search.found.length < MOST_NAMED) {
        search.found.push([...search.trail, key]);
      }
    } else if (below !== null) {
      search.trail.push(key);
      searchValue(search, value, below, 0);
      search.trail.pop();
    }
  }
  for (const { name, shape } of ofTypes) {
    if (object.__typename === name) {
      searchObject(search, object, shape);
    }
  }
}

/** Whether an error stands at the position, above or below it, or nowhere. */
function explains({ path }: SubgraphError, position: Path): boolean {
  const length = Math.min(path?.length ?? 0, position.length);
  return position.slice(0, length).every((segment, index) => segment === path?.[index]);
}

/**
 * Reports fields that a subgraph left out of its answer. A client would take them for null without a reason. Fields with
 * conditions are not looked for.
 */
export function createLeftOutReporter(): (
  fetch: SubgraphFetch,
  response: SubgraphResponse,
) => SubgraphResponse {
  const shapes = new WeakMap<SubgraphFetch, Shape>();
  return (fetch, response) => {
    const { data, errors = [] } = response;
    if (data === null || data === undefined) {
      return response;
    }
    let shape = shapes.get(fetch);
    if (shape === undefined) {
      shape = rootShape(parse(fetch.document, { noLocation: true }));
      shapes.set(fetch, shape);
    }
    const found: Path[] = [];
    searchObject({ trail: [], found }, data, shape);
    const unexplained = found.filter((path) => !errors.some((error) => explains(error, path)));
    if (unexplained.length === 0) {
      return response;
    }
    const added = unexplained.map(
      (path): SubgraphError => ({
        message: 'The subgraph left out a field that was selected.',
        path,
        extensions: { code: 'SUBGRAPH_RESPONSE_INVALID' },
      }),
    );
    return { ...response, errors: [...errors, ...added] };
  };
}
