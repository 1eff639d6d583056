import { type ExecutionResult, parse, subscribe } from 'graphql';
import { type TestGraph, testContext } from '../../../gateway/engine/testing/index.ts';
import type { RunState } from './world.ts';
import type { GeneratedOperation } from './writing.ts';

/** Where two results of one operation differ. */
export interface Difference {
  readonly what: string;
  readonly engine: unknown;
  readonly monolith: unknown;
}

type Path = readonly (string | number)[];

const own = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : null;

/** The position that is null because of an error at `path`: that one, or the nearest above that may be null. */
function nullPosition(data: unknown, path: Path): Path {
  let value = data;
  let length = 0;
  while (value !== null && length < path.length) {
    value = own(value, path[length] ?? '');
    length += 1;
  }
  return path.slice(0, length);
}

/**
 * Errors by the position that they make null. Where a null came up from below, executors may differ in which of
 * several reasons they find first (GraphQL specification, section 6.4.4), so there only the position counts.
 */
function causes({ data, errors = [] }: ExecutionResult): string[] {
  const found = errors.map(({ path = [] }) => {
    const position = nullPosition(data, path);
    const isExact = position.length === path.length;
    return `${JSON.stringify(position)}${isExact ? '' : ' from below'}`;
  });
  return [...new Set(found)].sort();
}

function repeated({ errors = [] }: ExecutionResult): string[] {
  const paths = errors.map(({ path }) => JSON.stringify(path));
  return paths.filter((path, index) => paths.indexOf(path) !== index);
}

function compareResults(engine: ExecutionResult, monolith: ExecutionResult): Difference | null {
  const data = [engine.data, monolith.data].map((value) => JSON.stringify(value) ?? 'none');
  if (data[0] !== data[1]) {
    return { what: 'data', engine: `${data[0]} ${JSON.stringify(engine.errors)}`, monolith: data[1] };
  }
  // Of very many errors the engine keeps some.
  if (engine.errors?.some(({ extensions }) => extensions?.omitted !== undefined) === true) {
    return null;
  }
  const reasons = [causes(engine), causes(monolith)];
  if (JSON.stringify(reasons[0]) !== JSON.stringify(reasons[1])) {
    return { what: 'error paths', engine: engine.errors, monolith: monolith.errors };
  }
  const twice = repeated(engine);
  return twice.length === 0 ? null : { what: 'errors reported twice', engine: twice, monolith: [] };
}

async function collect(
  opened: AsyncIterable<ExecutionResult> | ExecutionResult,
): Promise<readonly ExecutionResult[]> {
  if (!(Symbol.asyncIterator in opened)) {
    return [opened];
  }
  const events: ExecutionResult[] = [];
  for await (const event of opened) {
    events.push(event);
  }
  return events;
}

interface Ways {
  /** Whether resolvers answer with promises. */
  readonly isAsync: boolean;
  /** How often the operation is run the public way: the fourth time it is compiled. */
  readonly times: number;
  /** Whether it is run as a trusted document too, which is compiled at once. */
  readonly isCompiled: boolean;
}

function asSent(result: ExecutionResult): ExecutionResult {
  return JSON.parse(JSON.stringify(result));
}

/** Runs operations on the engine, interpreted and compiled, and by graphql-js over one schema. */
export function createComparison(graph: TestGraph, state: RunState) {
  async function compareAll(
    run: () => Promise<readonly ExecutionResult[]>,
    expected: readonly ExecutionResult[],
  ): Promise<Difference | null> {
    state.ticks = 0;
    const results = await run();
    if (results.length !== expected.length) {
      return { what: 'number of events', engine: results, monolith: expected };
    }
    for (const [index, result] of results.entries()) {
      const difference = compareResults(result, expected[index] as ExecutionResult);
      if (difference !== null) {
        return difference;
      }
    }
    return null;
  }

  async function runMonolith({ query, variables }: GeneratedOperation): Promise<readonly ExecutionResult[]> {
    state.ticks = 0;
    if (!query.startsWith('subscription')) {
      return [await graph.runMonolith(query, variables)];
    }
    const source = { schema: graph.monolith, document: parse(query), variableValues: variables };
    return collect(await subscribe({ ...source, contextValue: testContext() }));
  }

  /** Runs an operation some of the ways, which its text chooses. */
  function compare(operation: GeneratedOperation): Promise<Difference | null> {
    const { length } = operation.query;
    // Compiling costs far more than running.
    return compareWays(operation, {
      isAsync: length % 2 === 0,
      times: length % 7 === 0 ? 4 : 1,
      isCompiled: length % 5 === 0,
    });
  }

  /** Runs an operation each way, until one differs. */
  async function compareEveryWay(operation: GeneratedOperation): Promise<Difference | null> {
    for (const isAsync of [false, true]) {
      const difference = await compareWays(operation, { isAsync, times: 4, isCompiled: true });
      if (difference !== null) {
        return difference;
      }
    }
    return null;
  }

  async function compareWays(operation: GeneratedOperation, ways: Ways): Promise<Difference | null> {
    const { query, variables } = operation;
    state.isAsync = ways.isAsync;
    const expected = await runMonolith(operation);
    if (query.startsWith('subscription')) {
      return compareAll(
        async () => collect(await graph.engine.subscribe({ query, variables }, testContext())),
        expected,
      );
    }
    for (let { times } = ways; times > 0; times--) {
      const difference = await compareAll(
        async () => [asSent(await graph.engine.execute({ query, variables }, testContext()))],
        expected,
      );
      if (difference !== null) {
        return difference;
      }
    }
    if (!ways.isCompiled) {
      return null;
    }
    const trusted = graph.engine.prepareTrusted(query);
    const compiled = await compareAll(
      async () => [await graph.engine.executeTrusted(trusted, variables, testContext())],
      expected,
    );
    return compiled === null ? null : { ...compiled, what: `${compiled.what}, compiled` };
  }

  return { compare, compareEveryWay };
}
