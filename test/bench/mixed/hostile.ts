import type { ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { queryGraph } from '../../support/money-requests.ts';
import type { Started } from '../offered-load.ts';
import { startAttack } from '../subscriptions/hostile.ts';
import { FOLLOW } from '../subscriptions/scene.ts';
import { keyOf, type MixedScene } from './scene.ts';

/** A page that costs 901 of the 10,000 that a query may; as many of them as a document may have root fields. */
const PAGE = `requestMonies(first: 100) { nodes {
  id referenceId requestId status statusDetails waLink landingLink fundRequestLink createdAt updatedAt expiresAt
  amount { amount currency } resolved { __typename }
  user { id referenceId requestMonies(first: 4) { nodes { id statusDetails } } }
} }`;
const LARGEST = `{ ${Array.from({ length: 10 }, (_, index) => `page${index}: ${PAGE}`).join(' ')} }`;
/** Every second call is so many small queries at once. */
const BURST = 50;
const DRIPPING = 20;
const SLOW_READERS = 5;
const DRIP_MS = 500;
/** Money requests of its own, for its queries to find. */
const MONEY_REQUESTS = 100;

/** One partner with a valid key who asks for as much as is allowed. */
interface Hostile {
  /** Begins with slow readers and bodies that come a byte at a time. */
  open(): Promise<void>;
  /** Sends the largest query, or many small ones at once. Whatever answer comes is one. */
  start(): Started;
  close(): Promise<void>;
}

/** Makes the hostile partner, who does nothing yet. */
export function createHostile(scene: MixedScene): Hostile {
  const { exchange, server, watched } = scene;
  const key = keyOf('hostile');
  let calls = 0;
  let stops: (() => void)[] = [];
  const ask = async (times: number, query: string) => {
    await Promise.all(Array.from({ length: times }, () => queryGraph(exchange, query, {}, key)));
  };
  const askLargest = async () => {
    const { errors } = await queryGraph(exchange, LARGEST, {}, key);
    if (errors) {
      throw new Error(`The largest query is not allowed: ${JSON.stringify(errors)}`);
    }
  };
  return {
    open: async () => {
      while (scene.done.created.hostile < MONEY_REQUESTS) {
        await scene.create('hostile');
      }
      await askLargest();
      const readers: ChildProcess = startAttack({
        ...{ url: server.url, key, query: FOLLOW, operationId: String(watched[0]) },
        ...{ kinds: ['slow'], clients: SLOW_READERS },
      });
      stops = [
        () => readers.kill('SIGKILL'),
        ...Array.from({ length: DRIPPING }, () => dripForEver(server.url, key)),
      ];
    },
    start: () => {
      calls += 1;
      const accepted = calls % 2 === 0 ? ask(BURST, '{ me { id } }') : ask(1, LARGEST);
      return { accepted, done: accepted };
    },
    close: async () => {
      for (const stop of stops) {
        stop();
      }
      stops = [];
    },
  };
}

/** Sends the body of a create byte by byte; when the server ends it, another one. @returns the end of it */
function dripForEver(url: string, key: string): () => void {
  const { hostname, port } = new URL(url);
  let isOver = false;
  let held: Socket | undefined;
  const begin = () => {
    if (isOver) {
      return;
    }
    const socket = connect(Number(port), hostname);
    held = socket;
    socket.write(`POST /v1/request-money HTTP/1.1\r\nhost: ${hostname}\r\nx-api-key: ${key}\r\n`);
    socket.write('content-type: application/json\r\ncontent-length: 1000000\r\n\r\n{');
    const drip = setInterval(() => socket.write(' '), DRIP_MS);
    // The server answers 408 and hangs up: that is what is hoped for.
    socket.resume().on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(drip);
      setTimeout(begin, DRIP_MS);
    });
  };
  begin();
  return () => {
    isOver = true;
    held?.destroy();
  };
}
