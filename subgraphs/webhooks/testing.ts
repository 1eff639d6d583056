import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { createServer, type Server, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestCertificate } from '../../test/support/test-certificate.ts';

/** A request as it came. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

/** Answers a request. Not ending the response leaves the sender waiting. */
export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** A partner's server. */
export interface Receiver {
  readonly port: number;
  /** `https://127.0.0.1:port` and the path. */
  url(path: string): string;
  readonly requests: readonly ReceivedRequest[];
  to(path: string): ReceivedRequest[];
  close(): Promise<void>;
}

/** The certificates of the clients that a receiver takes, and its versions of TLS; by default all. */
export type ReceiverTls = Pick<ServerOptions, 'ca' | 'requestCert' | 'minVersion' | 'maxVersion'>;

/** Starts a receiver on a free port. `answers` are by path; a path without one is answered 204. */
export async function startReceiver(
  { key, cert }: Pick<TestCertificate, 'key' | 'cert'>,
  answers: Readonly<Record<string, Answer>> = {},
  tls: ReceiverTls = {},
): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const server = createServer({ ...tls, key, cert }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const path = request.url ?? '';
      const received = { path, headers: request.headers, body: Buffer.concat(chunks), at: Date.now() };
      requests.push(received);
      const answer = answers[path] ?? ((_request, empty) => empty.writeHead(204).end());
      answer(received, response);
    });
  });
  const port = await listen(server);
  return {
    port,
    url: (path) => `https://127.0.0.1:${port}${path}`,
    requests,
    to: (path) => requests.filter((request) => request.path === path),
    close: () => close(server),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
