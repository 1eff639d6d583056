import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { NO_STORE } from './cache-control.ts';

/** Statuses for Node's codes of unreadable requests, where the answer is not 400. */
const STATUS_OF: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/**
 * Answers bytes that are not an HTTP request, and closes the connection, because the start of the next request is
 * unknown. Without a path there is no surface, so the body has only the fields that all surfaces share.
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
    `cache-control: ${NO_STORE}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** A request with an unfinished body may already have an answer on the way: a second answer must not interrupt it. */
function hasBegunToAnswer(socket: Socket & { readonly _httpMessage?: ServerResponse | null }): boolean {
  // Node has no public name for it.
  return socket._httpMessage?.headersSent === true;
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
