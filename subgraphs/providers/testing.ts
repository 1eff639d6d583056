import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach } from '@jest/globals';
import { type Call, createJsonEndpoint, type EndpointOptions, type JsonEndpoint } from './json-endpoint.ts';

/** A call of a funding provider. */
export const CALL: Call = {
  body: { operationId: 'corr-1', amount: '82.19', currency: 'USD' },
  idempotencyKey: 'acme:corr-1:REQUEST_MONEY',
  accountId: 'acme/live',
};

/** A provider that speaks bytes: what it does with a connection, and with each request on it. */
interface RawProvider {
  connected?(socket: Socket): void;
  /** @param nth of all its requests; 1 is the first */
  requested(socket: Socket, nth: number): void;
}

/** Providers and endpoints of a test file; each test's are closed after it. */
interface ProviderStand {
  /** @returns the URL of a provider that answers so */
  listen(answer: RequestListener): Promise<string>;
  /** @returns the URL of a provider, and its open connections */
  listenRaw(provider: RawProvider): Promise<{ url: string; sockets: ReadonlySet<Socket> }>;
  /** An endpoint whose calls do not run out of time on a busy machine. */
  endpointAt(url: string, options?: Partial<EndpointOptions>): JsonEndpoint;
}

export function useProviderStand(): ProviderStand {
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) {
      await close();
    }
  });
  const start = async (server: Server): Promise<string> => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/call`;
  };
  return {
    listen: async (answer) => {
      const server = createServer(answer);
      const url = await start(server);
      closing.push(async () => server.closeAllConnections());
      return url;
    },
    listenRaw: async (provider) => {
      const sockets = new Set<Socket>();
      const url = await start(serveRaw(provider, sockets));
      closing.push(async () => {
        for (const socket of sockets) {
          socket.destroy();
        }
      });
      return { url, sockets };
    },
    endpointAt: (url, options) => {
      const endpoint = createJsonEndpoint({ name: 'test', url, timeoutMs: 30_000, ...options });
      closing.push(endpoint.close);
      return endpoint;
    },
  };
}

function serveRaw({ connected, requested }: RawProvider, sockets: Set<Socket>): Server {
  let requests = 0;
  return createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    connected?.(socket);
    socket.on('data', (chunk) => {
      if (chunk.toString().includes('POST ')) {
        requests += 1;
        requested(socket, requests);
      }
    });
  });
}

/** The bytes of a 200. @param more header lines */
export function answerOf(result: string, more = ''): string {
  const body = JSON.stringify({ result });
  return `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
}

export const answering =
  (status: number, body: string): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);
