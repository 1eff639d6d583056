import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../bench/processes.ts';

const LOOK_MS = 200;
const READY_MS = 60_000;

/** One address before several processes, as a Kubernetes Service is: it knows connections, not requests. */
export interface Balancer {
  readonly url: string;
  /** Those that are ready, the one first whose turn it is. */
  turn(): string[];
  /**
   * Lets a process have new connections as long as it says that it is ready. Resolves when it has said so once. @throws when it
   * does not within a minute
   */
  add(backend: string): Promise<void>;
  /** Forgets a process; connections to it stay. */
  remove(backend: string): void;
  close(): Promise<void>;
}

/** Whether a server says that it may have calls. */
async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/health/ready`).catch(() => undefined);
  await answer?.arrayBuffer().catch(() => undefined);
  return answer?.status === 200;
}

/** Hands connections to those that are ready, in turn; one that takes no connection is skipped. */
export async function startBalancer(): Promise<Balancer> {
  const backends = new Map<string, { ready: boolean }>();
  const open = new Set<Socket>();
  let turns = 0;
  const turn = () => {
    turns += 1;
    const ready = [...backends].filter(([, state]) => state.ready).map(([url]) => url);
    return ready.map((_, index) => ready[(turns + index) % ready.length] ?? '');
  };
  const look = async () => {
    await Promise.all(
      [...backends].map(async ([url, state]) => {
        state.ready = await isReady(url);
      }),
    );
  };
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS);
  const server = createServer({ allowHalfOpen: true }, (client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => client.destroy());
    join(client, turn(), (url) => {
      const state = backends.get(url);
      if (state) {
        state.ready = false;
      }
    });
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${port}`,
    turn,
    add: async (backend) => {
      const deadline = performance.now() + READY_MS;
      while (!(await isReady(backend))) {
        if (performance.now() > deadline) {
          throw new Error(`${backend} did not get ready`);
        }
        await new Promise((wait) => setTimeout(wait, LOOK_MS / 4));
      }
      backends.set(backend, { ready: true });
    },
    remove: (backend) => {
      backends.delete(backend);
    },
    close: async () => {
      clearInterval(timer);
      await looking;
      for (const socket of open) {
        socket.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Joins a client with the first candidate that takes the connection; nobody has read a byte of it until then. */
function join(client: Socket, [url, ...others]: readonly string[], isAway: (url: string) => void): void {
  if (url === undefined) {
    client.destroy();
    return;
  }
  const upstream = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
  const goOn = () => {
    isAway(url);
    join(client, others, isAway);
  };
  upstream.once('error', goOn);
  upstream.once('connect', () => {
    upstream.off('error', goOn);
    upstream.on('error', () => client.destroy());
    upstream.once('close', () => client.destroy());
    client.once('close', () => upstream.destroy());
    client.pipe(upstream).pipe(client);
  });
}
