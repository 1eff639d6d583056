import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/** A server under load: a Node process whose output nobody reads. */
export interface LoadedServer {
  readonly url: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** Starts a program of the build on a free port, given as `PORT`, and waits until `path` answers anything at all. */
export async function startLoaded(
  program: string,
  env: Readonly<Record<string, string>>,
  path: string,
): Promise<LoadedServer> {
  const url = `http://127.0.0.1:${await freePort()}`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program], {
    env: { PATH, HOME, PORT: new URL(url).port, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await answers(`${url}${path}`))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      await stop();
      throw new Error(`${program} did not start`);
    }
    await new Promise((wait) => setTimeout(wait, 50));
  }
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.arrayBuffer();
  return response !== undefined && response.status < 500;
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
