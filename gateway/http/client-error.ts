import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { NO_STORE } from './cache-control.ts';
import { requestIdOf } from './request-headers.ts';

/** Statuses for Node's codes of unreadable requests, where the answer is not 400. */
const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Makes the answer to a malformed request, in the shape of the surface of a URL. Its body is a JSON value. */
export type PresentBadRequest = (
  url: string,
  message: string,
) => { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/**
 * Makes the handler of bytes that are not an HTTP request. It answers, and closes the connection, because the start of the next
 * request is unknown. A request whose body is at fault gets the shape of its surface. Otherwise there is no path, and the
 * body has only the fields that all surfaces share.
 */
export function clientErrorHandler(
  present: PresentBadRequest,
): (error: NodeJS.ErrnoException, socket: Socket) => void {
  return (error, socket) => {
    const response = responseOn(socket);
    // A request with an unfinished body may already have an answer on the way: a second answer must not interrupt it.
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true) {
      socket.destroy();
      return;
    }
    const status = STATUS_OF[error.code ?? ''] ?? 400;
    // The fault comes after a request that is complete.
    const request = response?.req.complete === false ? response.req : undefined;
    const reason = STATUS_CODES[status] ?? 'Bad Request';
    const { body, headers = {} } = request
      ? present(request.url ?? '', BODY_MESSAGES[status] ?? NOT_HTTP)
      : { body: { error: 'bad_request', message: reason } };
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${reason}`,
      `x-request-id: ${request ? requestIdOf(request) : randomUUID()}`,
      'content-type: application/json',
      `cache-control: ${NO_STORE}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  };
}

const NOT_HTTP = 'The request body is not valid HTTP.';
const BODY_MESSAGES: Readonly<Record<number, string>> = { 408: 'The request body did not arrive in time.' };

/** The answer that a connection waits for. Node has no public name for it. */
function responseOn(socket: Socket & { readonly _httpMessage?: ServerResponse | null }) {
  return socket._httpMessage;
}

/**
 * Handles a request with a body only after node has looked at all bytes that arrived together with its head. Otherwise a
 * quick answer would be sent before node finds that the body cannot be read, as if the connection could be used again.
 */
export function handleAfterFirstBytes(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined) {
      queueMicrotask(done);
    } else {
      done();
    }
  });
}
