import { LiveError, type ResultError } from './live-error.ts';
import { isRecord, parseJson, unexpected } from './transport.ts';

/** A message of the server. */
interface SocketMessage {
  readonly type: string;
  /** Id of the operation; empty if the message belongs to none. */
  readonly id: string;
  readonly payload: unknown;
}

/** Source: GraphQL over WebSocket protocol. @throws LiveError `UNEXPECTED_ANSWER` */
export function readMessage(text: unknown): SocketMessage {
  const message = typeof text === 'string' ? parseJson(text) : undefined;
  if (!isRecord(message) || typeof message.type !== 'string') {
    throw unexpected('The server has sent what is no message of graphql-transport-ws');
  }
  return { type: message.type, id: String(message.id ?? ''), payload: message.payload };
}

/** The payload of `error`. @throws LiveError `UNEXPECTED_ANSWER` */
export function readErrors(payload: unknown): readonly ResultError[] {
  if (!Array.isArray(payload) || !payload.every(isRecord)) {
    throw unexpected('The server has sent an error that cannot be read');
  }
  return payload as unknown as readonly ResultError[];
}

/** Unauthorized, forbidden: the key or token is invalid, or no longer valid. */
const REFUSED = [4401, 4403];
/** The server waited too long for our first message. */
const INIT_TIMEOUT = 4408;

/**
 * Codes from 4400 to 4499 are errors of the client; others are temporary: restarts, broken connections, internal
 * errors.
 */
export function errorOfClose(code: number, reason: string): LiveError {
  const message = `The socket was closed: ${code}${reason === '' ? '' : ` ${reason}`}`;
  if (REFUSED.includes(code)) {
    return new LiveError('UNAUTHENTICATED', message);
  }
  const isFinal = code >= 4400 && code < 4500 && code !== INIT_TIMEOUT;
  return new LiveError(isFinal ? 'PROTOCOL_ERROR' : 'CONNECTION_LOST', message);
}
