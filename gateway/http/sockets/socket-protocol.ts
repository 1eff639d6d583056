import { CloseCode, MessageType, parseMessage } from 'graphql-ws';
import { MOST_LEVELS } from '../../../subgraphs/kernel/json/parse-json.ts';
import { scanJson } from '../../../subgraphs/kernel/json/scan-json.ts';
import { type OperationLink, SocketOperation, type StartedOperation } from './socket-operation.ts';

/** Longest reason of a close, in bytes. Source: RFC 6455, section 5.5. */
const LONGEST_REASON = 123;
const FORBIDDEN: SocketClose = { code: CloseCode.Forbidden, reason: 'Forbidden' };

type Message = ReturnType<typeof parseMessage>;

/** Whether a client is let in. False closes its socket with 4403; a close names the code and reason. */
export type Admission = boolean | Readonly<Record<'close', SocketClose>>;

/** The code of a close, and its reason: at most 123 bytes. */
export interface SocketClose {
  readonly code: number;
  readonly reason: string;
}

/** The application's part of the protocol on one socket. */
interface SocketHandler {
  /** Decides whether the client is let in; by default it is. @param params `connectionParams` of clients */
  connect(params: Readonly<Record<string, unknown>> | undefined): Admission | Promise<Admission>;
  /** Starts an operation; when it rejects, the socket is closed. */
  start(operation: SocketOperation): Promise<StartedOperation>;
}

/** The protocol's side of a socket. */
interface ProtocolSocket extends Pick<OperationLink, 'send' | 'textOf' | 'formatError' | 'report'> {
  close(code: number, reason: string): void;
}

/** The server's part of the protocol on one socket. */
export interface SocketProtocol {
  /** Handles a message. Rejects when the server is at fault. */
  receive(text: string): Promise<void>;
  /** Call it when the socket has closed: its operations end. */
  closed(): void;
}

/**
 * The server's part of `graphql-transport-ws`. graphql-ws has a server for it, too, but knows operations by their id alone: one
 * that is completed while it starts goes on in the place of the next one with its id, answers for it, and is never ended.
 * Source: GraphQL over WebSocket protocol.
 *
 * @param initWithinMs time for the client's first message
 */
export function speakProtocol(
  socket: ProtocolSocket,
  handler: SocketHandler,
  initWithinMs: number,
): SocketProtocol {
  const operations = new Map<string, SocketOperation>();
  const { send, textOf, formatError, report } = socket;
  const link: OperationLink = { operations, send, textOf, formatError, report };
  let state: 'new' | 'greeted' | 'acknowledged' | 'closed' = 'new';
  const waiting = setTimeout(() => {
    if (state === 'new') {
      close(CloseCode.ConnectionInitialisationTimeout, 'Connection initialisation timeout');
    }
  }, initWithinMs);

  function closed(): void {
    state = 'closed';
    clearTimeout(waiting);
    for (const operation of [...operations.values()]) {
      operation.drop();
    }
  }

  function close(code: number, reason: string): void {
    closed();
    socket.close(code, Buffer.byteLength(reason) > LONGEST_REASON ? '' : reason);
  }

  async function greet(params: Readonly<Record<string, unknown>> | undefined): Promise<void> {
    if (state !== 'new') {
      close(CloseCode.TooManyInitialisationRequests, 'Too many initialisation requests');
      return;
    }
    state = 'greeted';
    clearTimeout(waiting);
    const admission = await handler.connect(params);
    if (isClosed()) {
      return;
    }
    if (admission !== true) {
      const { code, reason } = admission ? admission.close : FORBIDDEN;
      close(code, reason);
      return;
    }
    state = 'acknowledged';
    await send('{"type":"connection_ack"}');
  }

  // The state changes while `greet` waits, which the compiler does not see.
  const isClosed = () => state === 'closed';

  async function subscribe({ id, payload }: Extract<Message, { type: 'subscribe' }>): Promise<void> {
    if (state !== 'acknowledged') {
      close(CloseCode.Unauthorized, 'Unauthorized');
    } else if (operations.has(id)) {
      close(CloseCode.SubscriberAlreadyExists, `Subscriber for ${id} already exists`);
    } else {
      const operation = new SocketOperation(id, payload, link);
      await operation.run(() => handler.start(operation));
    }
  }

  async function handle(message: Message): Promise<void> {
    switch (message.type) {
      case MessageType.ConnectionInit:
        return greet(message.payload ?? undefined);
      case MessageType.Ping:
        return send(JSON.stringify({ type: MessageType.Pong, payload: message.payload }));
      case MessageType.Pong:
        return undefined;
      case MessageType.Subscribe:
        return subscribe(message);
      case MessageType.Complete:
        return operations.get(message.id)?.drop();
      case MessageType.ConnectionAck:
      case MessageType.Next:
      case MessageType.Error:
        // Only servers send these.
        return close(CloseCode.BadRequest, `Only servers send messages of the type ${message.type}`);
    }
  }

  return {
    async receive(text) {
      if (isClosed()) {
        return;
      }
      const message = readMessage(text);
      await (typeof message === 'string' ? close(CloseCode.BadRequest, message) : handle(message));
    },
    closed,
  };
}

/** A message of the protocol, or the reason why the text is none. A reason repeats no value: it is logged. */
function readMessage(text: string): Message | string {
  // A ping goes back in its pong. Text that is nested too deeply can be parsed, but not written.
  const { isTooComplex, duplicateKey } = scanJson(text, {
    values: Number.POSITIVE_INFINITY,
    levels: MOST_LEVELS,
  });
  if (isTooComplex) {
    return `The message must have at most ${MOST_LEVELS} levels`;
  }
  if (duplicateKey !== undefined) {
    // A proxy may have read the other value.
    return `The message has ${duplicateKey} more than once in an object`;
  }
  try {
    return parseMessage(text);
  } catch (error) {
    return error instanceof SyntaxError
      ? 'The message must be JSON'
      : 'The message must be one of the graphql-transport-ws protocol';
  }
}
