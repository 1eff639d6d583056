import { buildSchema } from 'graphql';
import type { EngineContext } from '../context.ts';
import { createHttpTransport, type HttpTransport, type HttpTransportOptions } from '../transports/http.ts';
import { TransportError } from '../transports/http-error.ts';
import type { SubgraphFetch } from '../transports/transport.ts';
import { type Interceptor, type SubgraphServer, startSubgraph } from './subgraph-server.ts';

/** The schema that the fetches below fit. */
export const schema = buildSchema('type Query { a(n: Int): Int } type Mutation { b: Int }');
/** The context of a request. */
export const context = (overrides: Partial<EngineContext> = {}): EngineContext => ({
  requestId: 'r-1',
  ...overrides,
});
/** A query of the schema. */
export const query: SubgraphFetch = {
  subgraph: 's',
  document: 'query Q($n: Int) { a(n: $n) }',
  operationKind: 'query',
  operationName: 'Q',
};
/** A mutation of the schema. */
export const mutation: SubgraphFetch = {
  ...query,
  document: 'mutation { b }',
  operationKind: 'mutation',
  operationName: null,
};

/** Servers and transports of one test. */
export function createHarness() {
  const opened: { close(): Promise<void> }[] = [];
  return {
    opened,
    async serve(intercept?: Interceptor): Promise<SubgraphServer> {
      const server = await startSubgraph(schema, intercept === undefined ? {} : { intercept });
      opened.push(server);
      return server;
    },
    connect<Context extends EngineContext>(
      url: string,
      options: Partial<HttpTransportOptions<Context>> = {},
    ): HttpTransport<Context> {
      const transport = createHttpTransport<Context>({ url, retryDelaysMs: [5, 5], ...options });
      opened.push(transport);
      return transport;
    },
    async close(): Promise<void> {
      for (const one of opened.splice(0).reverse()) {
        await one.close();
      }
    },
  };
}

/** Holds requests until they are released. */
export function createGate() {
  let release: () => void = () => undefined;
  const opening = new Promise<void>((resolve) => {
    release = resolve;
  });
  let waiting = 0;
  const intercept: Interceptor = async (_request, response) => {
    waiting += 1;
    await opening;
    response.setHeader('content-type', 'application/json');
    response.end('{"data":{"a":1}}');
    return true;
  };
  return { intercept, release: () => release(), waiting: () => waiting };
}

/** The code with which a fetch fails; another rejection is returned unchanged. */
export async function codeOf(work: unknown): Promise<unknown> {
  return Promise.resolve(work).then(
    () => 'no error',
    (error: unknown) => (error instanceof TransportError ? error.extensions.code : error),
  );
}
