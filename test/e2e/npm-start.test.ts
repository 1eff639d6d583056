import { type ChildProcess, spawn } from 'node:child_process';
import { describe, expect, test } from '@jest/globals';
import { useScene } from '../support/scene.ts';
import { until } from '../support/until.ts';

const scene = useScene();

/** `npm start` as the leader of a process group of its own, up and listening. */
async function startByNpm(): Promise<{ npm: ChildProcess; output: () => string; url: string }> {
  const { env } = await scene.deploy();
  const { PATH = '', HOME = '' } = process.env;
  const npm = spawn('npm', ['start'], {
    env: { PATH, HOME, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let output = '';
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  scene.atEnd(async () => {
    try {
      process.kill(-Number(npm.pid), 'SIGKILL');
    } catch {
      // It has ended, as it should.
    }
  });
  const url = () => /"url":"(http:[^"]+)","msg":"server\.listening"/.exec(output)?.[1] ?? '';
  await until('the server listens', () => url() !== '' || npm.exitCode !== null);
  return { npm, output: () => output, url: url() };
}

const ended = (child: ChildProcess) =>
  new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    // `close`, not `exit`: all other holders of the streams, above all the server, have ended too.
    child.once('close', (code, signal) => resolve({ code, signal }));
  });

/** Whether any process of the group is left. */
function isGroupAlive(leader: number): boolean {
  try {
    process.kill(-leader, 0);
    return true;
  } catch {
    return false;
  }
}

describe('npm start', () => {
  test('ends the server cleanly when npm alone gets SIGTERM', async () => {
    const { npm, output, url } = await startByNpm();
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const end = ended(npm);
    npm.kill('SIGTERM');
    expect(await end).toEqual({ code: 0, signal: null });
    expect(output()).toContain('"server.stopping"');
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    expect(isGroupAlive(Number(npm.pid))).toBe(false);
  });

  test('ends the server cleanly when the whole process group gets SIGTERM, the server twice', async () => {
    const { npm, output, url } = await startByNpm();
    const end = ended(npm);
    process.kill(-Number(npm.pid), 'SIGTERM');
    expect(await end).toEqual({ code: 0, signal: null });
    expect(output().match(/"server\.stopping"/g)).toHaveLength(1);
    await expect(fetch(`${url}/health/live`)).rejects.toThrow();
    expect(isGroupAlive(Number(npm.pid))).toBe(false);
  });
});
