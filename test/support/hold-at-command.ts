/**
 * Preloaded into a server (`NODE_OPTIONS=--import=…`): holds a request for good at one of the commands that it sends to
 * the store. A process killed meanwhile is a process killed between exactly these two awaits.
 *
 * Requests with the header `X-Hold-At` are followed; its value is such as `before insert events (2)` or
 * `after commitTransaction`, and one that never comes about only has the commands told. Standard output tells, in JSON
 * lines, `command` and `heldAt`, with the `requestId` that the client chose.
 */
import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';

/** A request that is followed. */
interface Followed {
  readonly requestId: unknown;
  readonly holdAt: unknown;
  /** How often it has come to a command, by the command's name. */
  readonly counts: Map<string, number>;
}

type Command = Readonly<Record<string, unknown>>;
type Send = (ns: unknown, command: Command, ...rest: unknown[]) => Promise<unknown>;

/** How a connection opens, on behalf of whichever request is in need of one more. */
const HANDSHAKES = ['hello', 'ismaster'];

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

/** The very class that the product's connections are of: of the driver that its mongoose has. */
const { Connection } = createRequire(import.meta.resolve('mongoose'))('mongodb/lib/cmap/connection.js') as {
  Connection: { prototype: { command: Send } };
};
const send = Connection.prototype.command;

Connection.prototype.command = async function (ns, command, ...rest) {
  const followed = current.getStore();
  if (followed === undefined || HANDSHAKES.some((name) => name in command)) {
    return send.call(this, ns, command, ...rest);
  }
  const name = nameOf(followed, command);
  tell(followed, { command: name });
  await holdAt(followed, `before ${name}`);
  const answer = await send.call(this, ns, command, ...rest);
  await holdAt(followed, `after ${name}`);
  return answer;
};

/** Such as `insert events`, the second time `insert events (2)`. */
function nameOf({ counts }: Followed, command: Command): string {
  const [verb = '', subject] = Object.entries(command)[0] ?? [];
  const name = typeof subject === 'string' ? `${verb} ${subject}` : verb;
  const count = (counts.get(name) ?? 0) + 1;
  counts.set(name, count);
  return count === 1 ? name : `${name} (${count})`;
}

async function holdAt(followed: Followed, point: string): Promise<void> {
  if (followed.holdAt === point) {
    tell(followed, { heldAt: point });
    await new Promise<never>(() => undefined);
  }
}

function tell({ requestId }: Followed, what: object): void {
  process.stdout.write(`${JSON.stringify({ requestId, ...what })}\n`);
}
