import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { GraphQLError } from 'graphql';
import { CloseCode } from 'graphql-ws';
import type { WebSocketServer } from 'ws';
import { isOutage } from '../../../subgraphs/kernel/database/outage.ts';
import { CATALOGUE } from '../../../subgraphs/kernel/errors/catalogue.ts';
import type { OperationNote, Principal, RequestContext } from '../../../subgraphs/kernel/principal.ts';
import type { RequestLog } from '../../../subgraphs/partners/request-log/index.ts';
import type { Engine } from '../../engine/index.ts';
import type { StreamEndReason } from '../../observe/stream-metrics.ts';
import type { ConsoleCookie } from '../console-cookie.ts';
import { type Credential, type Credentials, credentialOf } from '../credentials.ts';
import type { ClientDocuments } from '../documents/client-documents.ts';
import type { StreamDrain } from '../drain.ts';
import { type CallLimits, failOperation } from '../rate-limit.ts';
import { requestIdOf } from '../request-headers.ts';
import { socketEntry } from '../request-log.ts';
import type { Revocations } from '../revocation.ts';
import { type Connection, serveGraphQLSockets } from '../sockets/graphql-sockets.ts';
import type { Pace } from '../sockets/inbound.ts';
import { addWebSocketRoute } from '../sockets/websocket-route.ts';
import type { ClientStreams } from './client-streams.ts';
import type { PartnerCounts } from './open-counts.ts';
import { socketOperations } from './socket-operations.ts';

/** Decisions, section 7, "Bounds". */
const SUBSCRIPTIONS_PER_SOCKET = 100;

/** Asks clients to reconnect. Source: IANA, WebSocket close codes. */
const SERVICE_RESTART = { code: 1012, reason: 'Service restart' };
const TOO_MANY_SOCKETS = { close: { code: 1013, reason: 'Too many sockets' } };

interface WebSocketDeps {
  engine: Engine<RequestContext>;
  documents: ClientDocuments;
  credentials: Credentials;
  /** Without it, no cookie counts. */
  consoleCookie?: Pick<ConsoleCookie, 'credentialOfSocket'>;
  limits: CallLimits;
  revocations: Pick<Revocations, 'watch'>;
  clients: ClientStreams;
  drain: Pick<StreamDrain, 'add'>;
  /** Limits open sockets. */
  sockets: PartnerCounts;
  pace: Pace;
  requestLog: Pick<RequestLog, 'record'>;
}

/** The state of a connection; all but the cookie comes with `connection_init`. */
interface Session extends Record<PropertyKey, unknown> {
  /** The session of the cookie that opened the socket, where a page of our own did. */
  cookie?: Credential | undefined;
  principal?: Principal;
  unwatch?(): void;
  /** Counts the socket no more. */
  release?(): void;
  /** Removes the socket from the drain. */
  leave?(): void;
  /** The reason for which we end the socket; undefined while it is open. */
  ending?: StreamEndReason;
}

/**
 * Serves `graphql-transport-ws` on `/graphql` (decisions, section 5). `connectionParams` has the key or a browser token; without
 * both, a page of our own is known by its cookie. An invalid one closes the socket with 4403, and so does its revocation or
 * expiry. One socket too many of a key or partner is closed with 1013. When the server stops, sockets close with 1012, a few at a time.
 */
export function addWebSocket(app: FastifyInstance, deps: WebSocketDeps): void {
  addWebSocketRoute(app, '/graphql', (server) => serveGraphQL(app, server, deps), requestIdOf);
}

function serveGraphQL(app: FastifyInstance, server: WebSocketServer, deps: WebSocketDeps) {
  const { engine, documents, credentials, limits, revocations, clients, drain, sockets, pace, requestLog } =
    deps;
  return serveGraphQLSockets<Session>(
    {
      connect: async (connection, params) => {
        const credential = credentialOf(lowerCased(params), connection.cookie);
        const principal = await credentials.authenticate(credential);
        if (!principal || credential === undefined) {
          return false;
        }
        const release = sockets.open(principal);
        if (release === undefined) {
          return TOO_MANY_SOCKETS;
        }
        connection.release = release;
        connection.principal = principal;
        connection.unwatch = revocations.watch(credential, principal, () => {
          connection.ending = 'revoked';
          connection.socket.close(CloseCode.Forbidden, 'Forbidden');
        });
        connection.leave = drain.add(() => {
          connection.ending ??= 'drained';
          connection.socket.close(SERVICE_RESTART.code, SERVICE_RESTART.reason);
        });
        if (connection.socket.readyState === connection.socket.CLOSED) {
          // It closed while the key was looked up.
          end(connection);
        }
        return true;
      },
      closed: end,
      ...socketOperations<Connection<Session>>({
        engine,
        documents,
        subscriptionsPerSocket: SUBSCRIPTIONS_PER_SOCKET,
        openStream: (connection, results, context) =>
          clients.open(results, {
            transport: 'websocket',
            context,
            whyStopped: () => connection.ending ?? connection.ended ?? 'stopped',
          }),
        contextOf: ({ controller }, { principal = null }) => {
          const requestId = randomUUID();
          const note = createNote((noted, ms) => {
            const entry = socketEntry(principal, requestId, noted, ms);
            if (entry) {
              requestLog.record(entry);
            }
          });
          return { principal, requestId, signal: controller.signal, controller, note };
        },
        failRequest: async ({ principal }) => {
          try {
            return await failOperation(limits, principal);
          } catch (error) {
            app.log.error({ err: error }, 'websocket.limits_failed');
            const code = isOutage(error) ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_SERVER_ERROR';
            return new GraphQLError(CATALOGUE[code].message, { extensions: { code } });
          }
        },
      }),
    },
    server,
    app.log,
    {
      goodbye: SERVICE_RESTART,
      pace,
      keep: ({ headers }) => ({ cookie: deps.consoleCookie?.credentialOfSocket(headers) }),
    },
  );
}

/** A note that is passed to the request log when its operation has ended. */
function createNote(onEnd: (note: OperationNote, ms: number) => void): OperationNote {
  const note: OperationNote = { isMutation: false, subjects: [], onEnd: (ms) => onEnd(note, ms) };
  return note;
}

function end({ release, unwatch, leave }: Session): void {
  release?.();
  unwatch?.();
  leave?.();
}

/**
 * `connectionParams` has names of headers, in any case of letters. A name with two different values counts as a
 * repeated header: it is not a credential.
 */
function lowerCased(params: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(params ?? {})) {
    const name = given.toLowerCase();
    read[name] = Object.hasOwn(read, name) && read[name] !== value ? '' : value;
  }
  return read;
}
