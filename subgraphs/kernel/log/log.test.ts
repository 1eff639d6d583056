import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import Fastify, { type FastifyBaseLogger } from 'fastify';
import { SECRET_NAMES } from './hide-secrets.ts';
import { createLogger } from './log.ts';

function record() {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, log: createLogger({ level: 'info', destination }) };
}

test('of an error only type, code, message, stack and causes are written, without passwords in URLs', () => {
  const { lines, log } = record();
  const cause = Object.assign(
    new TypeError('Failed to parse https://u:hunter2@validator.test/x?token=hunter2'),
    {
      input: 'hunter2',
      options: { credentials: { password: 'hunter2' } },
    },
  );
  const error = Object.assign(new Error('Write failed', { cause }), {
    code: 11000,
    writeErrors: [{ op: { cardNumber: '4111111111111111', name: 'hunter2' } }],
    request: { body: 'hunter2', headers: { 'x-api-key': 'hunter2' } },
  });
  log.error({ err: error }, 'failed');
  log.error({ err: new AggregateError([error], 'several') }, 'failed');
  log.error({ err: 'https://u:hunter2@a.test' }, 'failed');
  expect(JSON.stringify(lines)).not.toMatch(/hunter2|4111/);
  expect(lines[0]).toMatchObject({
    err: {
      type: 'Error',
      message: 'Write failed',
      code: 11000,
      stack: expect.stringContaining('log.test.ts'),
      cause: { type: 'TypeError', message: 'Failed to parse https://***@validator.test/***?***' },
    },
  });
  expect(lines[1]).toMatchObject({ err: { errors: [{ message: 'Write failed' }] } });
  expect(lines[2]).toMatchObject({ err: { type: 'string', message: 'https://***@a.test' } });
});

test('errors that loop are written, too', () => {
  const { lines, log } = record();
  const error: Error & { errors?: unknown } = new Error('round');
  error.cause = error;
  error.errors = [error];
  log.error({ err: error }, 'failed');
  expect(lines[0]).toMatchObject({ err: { cause: { cause: { message: 'round' } } } });
});

test('a request that fails in the framework is written without its query', async () => {
  const { lines, log } = record();
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({ loggerInstance });
  app.get('/v1/user/token-v2', () => {
    throw Object.assign(new Error('broken'), { input: 'hunter2' });
  });
  await app.inject({ url: '/v1/user/token-v2?phoneNumber=5215512345678', headers: { api_key: 'hunter2' } });
  await app.close();
  expect(lines.find(({ level }) => level === 'error')).toMatchObject({ err: { message: 'broken' } });
  expect(JSON.stringify(lines)).not.toMatch(/hunter2|5512345678/);
  expect(lines[0]).toMatchObject({ req: { method: 'GET', path: '/v1/user/token-v2' } });
});

describe.each([...SECRET_NAMES])('%s', (name) => {
  test.each<[string, (secret: string) => Record<string, unknown>]>([
    ['in a line', (secret) => ({ [name]: secret })],
    ['in a field', (secret) => ({ tenant: { id: 1, [name]: secret } })],
    ['in headers', (secret) => ({ headers: { accept: '*/*', [name]: secret } })],
    ['in the headers of a field', (secret) => ({ call: { headers: { [name]: secret } } })],
    ['in a list', (secret) => ({ calls: [{ id: 1 }, { [name]: secret }] })],
    ['as a list', (secret) => ({ [name]: [secret] })],
    ['as an object', (secret) => ({ call: { [name]: { value: secret } } })],
  ])('%s is not written, and what is logged is not changed', (_where, make) => {
    const { lines, log } = record();
    const fields = make('hunter2');
    log.info(fields, 'logged');
    log.child(fields).info('by a child');
    log.child({ requestId: 'r-1' }).child(fields, {}).info({ ms: 1 }, 'by the child of a child');
    expect(lines.map((line) => [line.msg, JSON.stringify(line)])).toEqual(
      ['logged', 'by a child', 'by the child of a child'].map((msg) => [
        msg,
        expect.stringMatching(/^(?!.*hunter2).*"\[redacted\]"/),
      ]),
    );
    expect(fields).toEqual(make('hunter2'));
  });
});

test('everything else is written as it is, whatever it is', () => {
  const { lines, log } = record();
  const at = new Date('2026-11-22T08:00:00Z');
  const loop: Record<string, unknown> = { list: [1, { two: 2 }] };
  loop.loop = loop;
  const link = new URL('https://a.test/');
  log.info({ at, link, none: null, nothing: undefined, loop, secrets: 'kept', count: 0n }, 'logged');
  expect(lines[0]).toMatchObject({
    at: at.toISOString(),
    link: 'https://a.test/',
    none: null,
    loop: { list: [1, { two: 2 }] },
    secrets: 'kept',
  });
  expect(lines[0]).not.toHaveProperty('nothing');
});

test('a request and its answer are logged with method, path and status only', async () => {
  const { lines, log } = record();
  const loggerInstance: FastifyBaseLogger = log;
  const app = Fastify({ loggerInstance });
  app.get('/', async (req, res) => req.log.info({ req, res }, 'both'));
  await app.inject({ url: '/?q=hunter2', headers: { cookie: 'hunter2' } });
  await app.close();
  expect(lines.find(({ msg }) => msg === 'both')).toMatchObject({
    req: { method: 'GET', path: '/' },
    res: { statusCode: 200 },
  });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});

test('a process that is killed has lost no line that it has logged', async () => {
  const log = pathToFileURL(resolve('dist/subgraphs/kernel/log/log.js')).href;
  const script = `
    import { createLogger } from '${log}';
    const log = createLogger({ level: 'info' });
    for (let line = 1; line <= 2000; line += 1) log.info({ line }, 'a line '.repeat(20));
    process.kill(process.pid, 'SIGKILL');
  `;
  const reported = await new Promise<string>((done) => {
    const child = execFile(process.execPath, ['--input-type=module', '-e', script], (_killed, stdout) => {
      expect(child.signalCode).toBe('SIGKILL');
      done(stdout);
    });
  });
  expect(reported.trimEnd().split('\n')).toHaveLength(2000);
});
