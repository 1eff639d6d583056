import { EventEmitter } from 'node:events';
import { expect, test } from '@jest/globals';
import { listenForStop } from './stop-signals.ts';

test('a signal that is delivered twice stops once; a later one ends the process at once', () => {
  const source = new EventEmitter();
  const received: string[] = [];
  let now = 0;
  const handlers = {
    stop: (signal: string) => received.push(`stop ${signal}`),
    force: (signal: string) => received.push(`force ${signal}`),
  };
  listenForStop(handlers, source, () => now);
  source.emit('SIGTERM', 'SIGTERM');
  now = 1_000;
  source.emit('SIGTERM', 'SIGTERM');
  source.emit('SIGINT', 'SIGINT');
  expect(received).toEqual(['stop SIGTERM']);
  now = 1_001;
  source.emit('SIGINT', 'SIGINT');
  expect(received).toEqual(['stop SIGTERM', 'force SIGINT']);
});
