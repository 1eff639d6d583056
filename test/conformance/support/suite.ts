import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  createHttpTransport,
  type HttpTransportOptions,
  type SubgraphTransport,
} from '../../../gateway/engine/index.ts';
import {
  comparable,
  createSubgraphSchema,
  createTestGraph,
  runBoth,
  startSubgraph,
  type TestGraph,
  type TestGraphOptions,
} from '../../../gateway/engine/testing/index.ts';

/** An operation and what it must answer. */
export interface ConformanceCase {
  readonly name: string;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  /** The exact data, with the order of keys. Default: what graphql-js answers over one schema with the same resolvers. */
  readonly data?: unknown;
  /** Paths of all errors. Default: there are none. */
  readonly errors?: readonly (readonly (string | number)[])[];
}

/** A graph whose subgraphs may be elsewhere. */
export interface OpenGraph {
  readonly graph: TestGraph;
  close(): Promise<void>;
}

/** Opens a graph whose subgraphs are served over HTTP by graphql-js. */
export async function openHttpGraph(
  options: TestGraphOptions,
  transportOptions: Partial<HttpTransportOptions> = {},
): Promise<OpenGraph> {
  const opened: { close(): Promise<void> }[] = [];
  const transports = new Map<string, SubgraphTransport>();
  for (const name of Object.keys(options.subgraphs)) {
    const server = await startSubgraph(createSubgraphSchema(options, name));
    const transport = createHttpTransport({ url: server.url, retryDelaysMs: [], ...transportOptions });
    transports.set(name, transport);
    opened.push(server, transport);
  }
  const connect = (_schema: unknown, name: string) => transports.get(name) as SubgraphTransport;
  return {
    graph: createTestGraph({ ...options, connect }),
    async close() {
      for (const one of opened.reverse()) {
        await one.close();
      }
    },
  };
}

/** Declares the same tests twice: with the subgraphs in this process, and over HTTP. */
export function describeGraph(
  name: string,
  options: TestGraphOptions,
  body: (graph: () => TestGraph) => void,
): void {
  describe.each(['in process', 'over HTTP'])(`${name}, %s`, (arrangement) => {
    let open: OpenGraph | undefined;
    beforeAll(async () => {
      open =
        arrangement === 'over HTTP'
          ? await openHttpGraph(options)
          : { graph: createTestGraph(options), close: async () => undefined };
    });
    afterAll(() => open?.close());
    body(() => {
      if (open === undefined) {
        throw new Error('The graph is used outside of tests.');
      }
      return open.graph;
    });
  });
}

const sorted = (paths: ConformanceCase['errors'] = []) => paths.map((path) => JSON.stringify(path)).sort();

/** Makes a test of each case; each is run several times, so that interpreted and compiled code have answered. */
export function answers(graph: () => TestGraph, cases: readonly ConformanceCase[]): void {
  test.each(cases)('$name', async ({ query, variables, data, errors }) => {
    const { engine, monolith } = await runBoth(graph(), query, variables);
    const expected = data === undefined ? comparable(monolith).data : JSON.stringify(data);
    if (data === undefined && errors === undefined) {
      expect(monolith.errors).toBeUndefined();
    }
    for (const result of engine) {
      expect(result).toEqual({ data: expected, paths: sorted(errors) });
    }
  });
}
