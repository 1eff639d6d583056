import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exchangeWith, type RawResponse } from '../support/http.ts';

/** A request of a client, and the answer that the server gave it. */
interface Recorded {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly response: RawResponse;
}

/** A proxy before a server, which remembers what a client sends and gets. */
export interface RecordingProxy {
  readonly url: string;
  /** The exchanges since the last call of this function. */
  take(): Recorded[];
  /** The server gets the next request, but its answer is lost. */
  loseNextAnswer(): void;
  close(): Promise<void>;
}

/** Headers of one connection, which the other one has values of its own for. */
const OF_THE_CONNECTION = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

export async function startRecordingProxy(target: string): Promise<RecordingProxy> {
  const exchange = exchangeWith(target);
  let recorded: Recorded[] = [];
  let losesNext = false;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) {
      chunks.push(chunk as Buffer);
    }
    const body = Buffer.concat(chunks).toString();
    const passed = Object.entries(incoming.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
    const response = await exchange({
      method: String(incoming.method),
      path: String(incoming.url),
      headers: Object.fromEntries(passed.map(([name, value]) => [name, String(value)])),
      ...(body === '' ? {} : { body }),
    });
    recorded.push({ headers: incoming.headers, body, response });
    if (losesNext) {
      losesNext = false;
      incoming.socket.destroy();
      return;
    }
    const own = Object.entries(response.headers).filter(([name]) => !OF_THE_CONNECTION.has(name));
    outgoing.writeHead(response.status, Object.fromEntries(own)).end(response.body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = recorded;
      recorded = [];
      return taken;
    },
    loseNextAnswer: () => {
      losesNext = true;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
