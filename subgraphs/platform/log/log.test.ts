import { expect, test } from '@jest/globals';
import Fastify, { type FastifyBaseLogger } from 'fastify';
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
      cause: { type: 'TypeError', message: 'Failed to parse https://***@validator.test/x?***' },
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
