import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Node's codes of requests that cannot be read, if the answer is not 400. */
const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers bytes that are no HTTP request, and closes the connection: nobody knows where the next request would begin.
 * There is no path to tell a surface by, so the body has only what all of them have.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || hasBegunToAnswer(socket)) {
    socket.destroy();
    return;
  }
  const status = STATUS_OF[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? 'Bad Request';
  const body = JSON.stringify({ error: 'bad_request', message: reason });
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    `x-request-id: ${randomUUID()}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** An answer that is on its way, to a request whose body does not end, must not have another one in its middle. */
function hasBegunToAnswer(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // Node's own name for it; there is no other way to know.
  return socket._httpMessage?.headersSent === true;
}

/**
 * Has a request with a body handled when node has looked at all bytes that came together with its head. One that needs nothing
 * to wait for would be answered before node finds that the body cannot be read: as if the connection could be used again.
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
