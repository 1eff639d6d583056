import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** A request, to be sent exactly as it stands here. */
export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A response as it came, byte for byte. */
export interface RawResponse {
  readonly status: number;
  /** By lower-case name; a header that came twice is joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly text: string;
}

/** Something that answers requests: a process over HTTP, or an application in this process. */
export type Exchange = (request: RawRequest) => Promise<RawResponse>;

/** Sends a request over a connection of its own. */
export function exchangeWith(baseUrl: string): Exchange {
  return ({ method, path, headers = {}, body }) =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(baseUrl);
      let answered = false;
      const options = { hostname, port, method, path, headers: withLength(headers, body) };
      const sent = httpRequest({ ...options, agent: new Agent({ keepAlive: false }) }, (response) => {
        answered = true;
        readResponse(response).then(resolve, reject);
      });
      // A server may answer and hang up while a large body is still being written.
      sent.on('error', (error) => {
        if (!answered) {
          reject(error);
        }
      });
      sent.end(body);
    });
}

/** Hands a request to an application without a socket. */
export function injectInto(app: FastifyInstance): Exchange {
  return async ({ method, path, headers = {}, body }) => {
    const response = await app.inject({
      method: method as 'GET',
      url: path,
      headers: { ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    const flat = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: response.statusCode,
      headers: Object.fromEntries(flat),
      body: response.rawPayload,
      text: response.rawPayload.toString(),
    };
  };
}

/**
 * Writes bytes to the server's port, whatever they are, and reads until it hangs up or has been silent for `quietMs`.
 */
export function exchangeBytes(baseUrl: string, bytes: string | Buffer, quietMs = 5_000): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(baseUrl);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(quietMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') {
        reject(error);
      }
    });
    socket.on('close', () => resolve(Buffer.concat(chunks)));
  });
}

/** A connection that is written to by hand. */
interface RawConnection {
  write(bytes: string): void;
  /** The messages so far. */
  received(): string;
  readonly closed: Promise<void>;
}

export async function openConnection(baseUrl: string): Promise<RawConnection> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((connected, failed) => {
    socket.once('connect', connected).once('error', failed);
  });
  let received = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  return {
    write: (bytes) => socket.write(bytes),
    received: () => received,
    closed: new Promise((closed) => socket.once('close', () => closed())),
  };
}

function withLength(headers: Readonly<Record<string, string>>, body: string | Buffer | undefined) {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  const framed = names.includes('content-length') || names.includes('transfer-encoding');
  return body === undefined || framed ? headers : { ...headers, 'Content-Length': Buffer.byteLength(body) };
}

/** Reads a response to its end. */
export async function readResponse(response: IncomingMessage): Promise<RawResponse> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
  }
  const body = Buffer.concat(chunks);
  const headers: Record<string, string> = {};
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = String(response.rawHeaders[index]).toLowerCase();
    const value = String(response.rawHeaders[index + 1]);
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return { status: Number(response.statusCode), headers, body, text: body.toString() };
}
