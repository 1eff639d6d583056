/**
 * Preloaded into a server, see `preloads.ts`: holds a request for good at one of the commands that it sends to the store. A
 * process killed meanwhile is a process killed between exactly these two awaits.
 *
 * Requests with the header `X-Hold-At` are followed; its value is such as `before insert events (2)` or
 * `after commitTransaction`, and one that never comes about only has the commands printed. Standard output has, in JSON
 * lines, `command` and `heldAt`, with the `requestId` that the client chose.
 *
 * `HOLD_AT_COMMAND` holds the process, whichever request or job sends the command: such as `update remittances`, or
 * `find remittances leaseToken` for one that names this field. With `HOLD_AT=after` the command is done, and its answer held.
 * With `HOLD_SINCE` it holds none before this command, such as `insert operatorLog`, was sent. Standard output has `heldAt` alone.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A request that is followed. */
interface Followed {
  readonly requestId: unknown;
  readonly holdAt: unknown;
  /** How often it has come to a command, by the command's name. */
  readonly counts: Map<string, number>;
}

/** The first field of a command: its name, and its value where that is a text. */
interface Command {
  readonly verb: string;
  readonly subject: string | undefined;
  /** The whole message. */
  readonly bytes: Buffer;
}

/** How a connection opens, on behalf of whichever request is in need of one more. */
const HANDSHAKES = ['hello', 'ismaster'];

/** The command that the process is held at, and a field that it names. */
const [holdVerb, holdSubject, holdField = ''] = process.env.HOLD_AT_COMMAND?.split(' ') ?? [];

const isHeldAfter = process.env.HOLD_AT === 'after';
let isSince = process.env.HOLD_SINCE === undefined;

const current = new AsyncLocalStorage<Followed>();

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  const { 'x-hold-at': holdAt, 'x-request-id': requestId } = request.headers;
  if (holdAt !== undefined) {
    current.enterWith({ requestId, holdAt, counts: new Map() });
    // Its body arrives on behalf of the connection: what waits for it must go on on behalf of the request.
    request.emit = AsyncResource.bind(request.emit.bind(request));
  }
});

const write = Socket.prototype.write;

/** At the socket, so that it does not matter where the driver's code has been loaded from. */
Socket.prototype.write = function (this: Socket, ...args: unknown[]) {
  const send = () => Reflect.apply(write, this, args) as boolean;
  const command = readCommand(args[0]);
  if (command === undefined || HANDSHAKES.includes(command.verb)) {
    return send();
  }
  if (isHeldAt(command)) {
    const held = { heldAt: `${isHeldAfter ? 'after' : 'before'} ${process.env.HOLD_AT_COMMAND}` };
    if (isHeldAfter) {
      holdAnswer(this, () => print(held));
      return send();
    }
    print(held);
    return true;
  }
  const followed = current.getStore();
  if (followed === undefined) {
    return send();
  }
  const name = nameOf(followed, command);
  report(followed, { command: name });
  if (followed.holdAt === `before ${name}`) {
    report(followed, { heldAt: `before ${name}` });
    return true;
  }
  if (followed.holdAt === `after ${name}`) {
    holdAnswer(this, () => report(followed, { heldAt: followed.holdAt }));
  }
  return send();
};

function isHeldAt({ verb, subject, bytes }: Command): boolean {
  isSince ||= `${verb} ${subject}` === process.env.HOLD_SINCE;
  return isSince && verb === holdVerb && subject === holdSubject && bytes.includes(`${holdField}\0`);
}

const OP_MSG = 2013;
const HEADER_BYTES = 16;
/** Where the command's document begins in a message: after the header, the flags and the kind of section. */
const DOCUMENT_AT = HEADER_BYTES + 4 + 1;
const STRING = 2;

/** The command in a message to the store; undefined for anything else that is written to a socket. */
function readCommand(message: unknown): Command | undefined {
  if (!(message instanceof Uint8Array) || message.length <= DOCUMENT_AT) {
    return undefined;
  }
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.length);
  if (bytes.readInt32LE(0) !== bytes.length || bytes.readInt32LE(12) !== OP_MSG) {
    return undefined;
  }
  const type = bytes[DOCUMENT_AT + 4];
  const nameAt = DOCUMENT_AT + 5;
  const nameEnd = bytes.indexOf(0, nameAt);
  const verb = bytes.toString('utf8', nameAt, nameEnd);
  if (type !== STRING) {
    return { verb, subject: undefined, bytes };
  }
  const length = bytes.readInt32LE(nameEnd + 1);
  return { verb, subject: bytes.toString('utf8', nameEnd + 5, nameEnd + 5 + length - 1), bytes };
}

/** Messages over the socket from now on reach no listener. */
function holdAnswer(socket: Socket, reportHeld: () => void): void {
  const emit = socket.emit.bind(socket);
  let isReported = false;
  socket.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'data') {
      return emit(event, ...args);
    }
    if (!isReported) {
      isReported = true;
      reportHeld();
    }
    return true;
  };
}

/** Such as `insert events`, the second time `insert events (2)`. */
function nameOf({ counts }: Followed, { verb, subject }: Command): string {
  const name = subject === undefined ? verb : `${verb} ${subject}`;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count === 1 ? name : `${name} (${count})`;
}

function report({ requestId }: Followed, what: object): void {
  print({ requestId, ...what });
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
