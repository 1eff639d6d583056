import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { GraphQLError } from 'graphql';
import { createLogger } from '../../subgraphs/kernel/log/log.ts';
import { until } from '../../test/support/until.ts';
import { createRejectionHandler } from './unhandled-rejections.ts';

function observe(close: () => Promise<void> = async () => undefined) {
  const reported: unknown[] = [];
  const handle = createRejectionHandler({
    log: {
      warn: (_line: object, message: string) => reported.push(message),
      fatal: (_line: object, message: string) => reported.push(message),
    } as never,
    close: async () => {
      reported.push('close');
      await close();
      reported.push('closed');
    },
    exit: (code) => reported.push(code),
    drainMs: 50,
  });
  return { reported, handle, ended: () => until('the exit', () => reported.at(-1) === 1) };
}

describe('a rejection that nobody awaits', () => {
  test.each([
    new Error('bug'),
    new TypeError('x is undefined'),
    'text',
    undefined,
    new GraphQLError('made by hand, never located'),
  ])('ends the process with 1 after a drain: %p', async (reason) => {
    const { reported, handle, ended } = observe();
    handle(reason);
    await ended();
    expect(reported).toEqual(['process.unhandled_rejection', 'close', 'closed', 1]);
  });

  test('ends it once, even after several rejections', async () => {
    const { reported, handle, ended } = observe(() => delay(5));
    handle(new Error('first'));
    handle(new Error('second'));
    await ended();
    expect(reported.filter((one) => one === 1 || one === 'close')).toEqual(['close', 1]);
  });

  test('ends it even if the drain hangs or fails', async () => {
    const hanging = observe(() => new Promise(() => undefined));
    hanging.handle(new Error('bug'));
    await hanging.ended();
    expect(hanging.reported).toEqual(['process.unhandled_rejection', 'close', 1]);
    const failing = observe(() => Promise.reject(new Error('no')));
    failing.handle(new Error('bug'));
    await failing.ended();
    expect(failing.reported).toEqual(['process.unhandled_rejection', 'close', 'process.drain_failed', 1]);
  });
});

test("the log omits clients' values, which errors of GraphQL repeat", async () => {
  const lines: string[] = [];
  const log = createLogger({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const exited = new Promise<number>((exit) => {
    const handle = createRejectionHandler({ log, close: async () => undefined, exit });
    const message = 'String cannot represent value: { phone: "+5215512345678" }';
    handle(new GraphQLError(message, { path: ['items', 0, 'name'] }));
    handle(new GraphQLError(message));
  });
  expect(await exited).toBe(1);
  expect(lines).toHaveLength(2);
  expect(lines.join('').match(/the value is not logged/g)?.length).toBeGreaterThanOrEqual(2);
  expect(lines.join('')).not.toContain('5512345678');
});

test('rejections that graphql-js leaves behind do not end the process', () => {
  const { reported, handle } = observe();
  handle(new GraphQLError('later', { path: ['items', 0, 'name'] }));
  expect(reported).toEqual(['graphql.late_rejection']);
});
