import { IncomingMessage } from 'node:http';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from '../../subgraphs/kernel/log/log.ts';
import { NO_STORE } from './cache-control.ts';
import { clientErrorHandler, type PresentBadRequest } from './client-error.ts';
import { httpTimeouts } from './http-timeouts.ts';
import { mergeRepeatedHeaders, requestIdOf } from './request-headers.ts';

/** Bodies of more than 1 MiB get 413 (decisions, section 0). */
const LARGEST_BODY_BYTES = 1024 * 1024;

/** A partner's own id in a path: 255 characters, escaped. With Fastify's own limit such paths would be unknown. */
const LONGEST_PARAM = 4096;

/** Path of WebSockets. */
const WEBSOCKET_PATH = '/graphql';

/**
 * Options of all HTTP applications that face clients.
 * @param presentBadRequest makes the answer to a request whose body is not valid HTTP
 */
export function httpOptions(log: Logger, presentBadRequest: PresentBadRequest, timeouts = httpTimeouts()) {
  // It has Fastify's type, because plugins do not accept an app with pino's wider type.
  const loggerInstance: FastifyBaseLogger = log;
  return {
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    bodyLimit: LARGEST_BODY_BYTES,
    routerOptions: { maxParamLength: LONGEST_PARAM },
    genReqId: (request: IncomingMessage) => {
      // Fastify asks for the id before anything reads a header.
      mergeRepeatedHeaders(request);
      return requestIdOf(request);
    },
    // A draining process still serves requests on open connections; see `addDraining`.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // HEAD is answered where GET is (decisions, section 7, "404 and 405").
    exposeHeadRoutes: true,
    clientErrorHandler: clientErrorHandler(presentBadRequest),
    ...timeouts,
    // Node would answer a request without Host itself, without a body: see `addHostCheck`.
    http: { ...timeouts.http, IncomingMessage: WebSocketUpgradeMessage, requireHostHeader: false },
  } as const;
}

/**
 * Ignores a request's offer to upgrade, unless it is to WebSocket on a path that has one. Other requests are answered
 * without the upgrade: an unknown path gets its surface's 404. Node passes every upgrade to the listener as soon as
 * there is one, so clients that offer HTTP/2 on plain HTTP (as Java's client does by default) would get no answer.
 */
class WebSocketUpgradeMessage extends IncomingMessage {
  /** Only declared: the constructor above sets `upgrade` before fields of this class would be initialised. */
  declare private offered: boolean;

  get upgrade(): boolean {
    return (
      this.offered &&
      this.method === 'GET' &&
      this.headers.upgrade?.toLowerCase() === 'websocket' &&
      this.url?.split('?', 1)[0] === WEBSOCKET_PATH
    );
  }

  set upgrade(offered: boolean | null) {
    this.offered = offered === true;
  }
}

/** Sets the headers that every answer has. */
export function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return reply.header('x-request-id', request.id).header('cache-control', NO_STORE);
}

/**
 * Puts `x-request-id` and `cache-control: no-store` on every response, errors included (decisions, sections 0 and 8).
 * A route whose answer is the same for everybody replaces `cache-control`.
 */
export function addCommonHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
}
