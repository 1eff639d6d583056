import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { execute, type GraphQLSchema, parse, subscribe } from 'graphql';
import { createHandler as createSseHandler } from 'graphql-sse/lib/use/http';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';

/** A request that a test subgraph got. */
interface ReceivedRequest {
  readonly headers: IncomingMessage['headers'];
  readonly body: { readonly query: string; readonly variables?: Readonly<Record<string, unknown>> };
}

/** Answers in place of the schema; `false` leaves it to the schema. */
export type Interceptor = (
  request: ReceivedRequest,
  response: ServerResponse,
  incoming: IncomingMessage,
) => boolean | Promise<boolean>;

/** A subgraph over HTTP, SSE and WebSocket, made of graphql-js and the reference servers of the protocols. */
export interface SubgraphServer {
  readonly url: string;
  readonly received: ReceivedRequest[];
  /** Connections accepted so far, WebSockets included. */
  readonly connections: () => number;
  /** Those of them that are open. */
  readonly open: () => number;
  /** Cuts every connection at once. */
  cut(): void;
  close(): Promise<void>;
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  let text = '';
  incoming.setEncoding('utf8');
  for await (const piece of incoming) {
    text += piece;
  }
  return text;
}

/** Starts a subgraph on a free port (or `port`). */
export async function startSubgraph(
  schema: GraphQLSchema,
  options: { intercept?: Interceptor; port?: number } = {},
): Promise<SubgraphServer> {
  const received: ReceivedRequest[] = [];
  let connections = 0;
  let open = 0;
  const sse = createSseHandler({ schema });
  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(incoming);
    const request: ReceivedRequest = { headers: incoming.headers, body: JSON.parse(text) };
    received.push(request);
    if ((await options.intercept?.(request, response, incoming)) === true) {
      return;
    }
    if (incoming.headers.accept === 'text/event-stream') {
      // The body is read already: the handler gets it again.
      const again = Object.assign(Readable.from([text]), {
        method: 'POST',
        url: '/',
        headers: incoming.headers,
      });
      await sse(again as unknown as IncomingMessage, response);
      return;
    }
    const result = await execute({
      schema,
      document: parse(request.body.query),
      variableValues: request.body.variables,
    });
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(result));
  }
  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : undefined);
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  const sockets = new WebSocketServer({ server });
  const graphql = useServer({ schema, execute, subscribe }, sockets);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const cut = (): void => {
    for (const socket of sockets.clients) {
      socket.terminate();
    }
    server.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${port}/graphql`,
    received,
    connections: () => connections,
    open: () => open,
    cut,
    async close() {
      if (server.listening) {
        await graphql.dispose();
        cut();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}
