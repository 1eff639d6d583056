import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A proxy that has a service below a path, and takes the path away before it passes a request on. */
export interface PathProxy {
  /** The service's address, without a slash at its end. */
  readonly url: string;
  /** Sets the address of the service, once that is known. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** @param path such as `/graph`: requests of other paths get 404 */
export async function startPathProxy(path: string): Promise<PathProxy> {
  let target = new URL('http://127.0.0.1:1');
  /** The part of a request's address that the service sees; undefined for one that is not below the path. */
  const innerOf = ({ url = '' }: IncomingMessage) =>
    url.startsWith(`${path}/`) ? url.slice(path.length) : undefined;
  const server = createServer((incoming, response) => {
    const inner = innerOf(incoming);
    if (inner === undefined) {
      response.writeHead(404).end();
      return;
    }
    pass(target, inner, incoming, response);
  });
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    const inner = innerOf(incoming);
    if (inner === undefined) {
      client.destroy();
      return;
    }
    passSocket(target, inner, incoming, client, head);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    leadTo: (url) => {
      target = new URL(url);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function pass(target: URL, path: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming;
  const { hostname, port } = target;
  const inner = request({ hostname, port, method, path, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  inner.on('error', () => response.destroy());
  response.on('close', () => inner.destroy());
  incoming.pipe(inner);
}

function passSocket(
  target: URL,
  path: string,
  incoming: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  const service = connect(Number(target.port), target.hostname, () => {
    const { rawHeaders } = incoming;
    const lines = rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? `${name}: ${rawHeaders[index + 1]}` : [],
    );
    service.write(`${[`GET ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`);
    service.write(head);
    service.pipe(client).pipe(service);
  });
  service.on('error', () => client.destroy());
  client.on('error', () => service.destroy());
}
