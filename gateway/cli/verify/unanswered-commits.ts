import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Socket } from 'node:net';
import { mongo } from 'mongoose';
import { isRecord } from '../../../subgraphs/kernel/objects.ts';
import { NotTried } from './check.ts';

/** Whether answers to commits get lost now. */
interface Losing {
  on: boolean;
}

/** Node publishes each new TCP socket of a client there. */
const CHANNEL = 'net.client.socket';
/** The server has committed by then, as far as it will. */
const CUT_AFTER_MS = 300;

/**
 * Runs work with a client that receives no answer to its commits while `losing.on`: its sockets stop reading, and are cut.
 * Sockets that other clients of the process open meanwhile are cut too; their drivers open others.
 * @throws NotTried over TLS, whose sockets Node does not publish
 */
export async function withUnansweredCommits<T>(
  uri: string,
  work: (client: mongo.MongoClient, losing: Losing) => Promise<T>,
): Promise<T> {
  const losing: Losing = { on: false };
  const sockets = new Set<Socket>();
  const addSocket = (message: unknown) => {
    if (isRecord(message) && message.socket instanceof Socket) {
      sockets.add(message.socket);
    }
  };
  const client = new mongo.MongoClient(uri, { monitorCommands: true, maxPoolSize: 1 });
  if (client.options.tls) {
    throw new NotTried('A lost answer cannot be provoked over TLS');
  }
  client.on('commandStarted', ({ commandName }) => {
    if (losing.on && commandName === 'commitTransaction') {
      loseAnswer(sockets);
    }
  });
  subscribe(CHANNEL, addSocket);
  try {
    return await work(client, losing);
  } finally {
    unsubscribe(CHANNEL, addSocket);
    await client.close();
  }
}

function loseAnswer(sockets: ReadonlySet<Socket>): void {
  const open = [...sockets].filter((socket) => !socket.destroyed);
  for (const socket of open) {
    socket.pause();
  }
  setTimeout(() => {
    for (const socket of open) {
      socket.destroy();
    }
  }, CUT_AFTER_MS);
}
