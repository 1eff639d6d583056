import { afterEach, expect, test } from '@jest/globals';
import { commandLine } from './command-line.ts';

const INSTALLED = Symbol.for('remitgraph.installed');
afterEach(() => void Reflect.deleteProperty(globalThis, INSTALLED));

test('a command is one of npm in a clone, and the package has its own', () => {
  const lines = () => [commandLine('start'), commandLine('demo'), commandLine('admin', 'key list')];
  expect(lines()).toEqual(['npm start', 'npm run demo', 'npm run admin -- key list']);
  Reflect.set(globalThis, INSTALLED, true);
  expect(lines()).toEqual(['remitgraph start', 'remitgraph demo', 'remitgraph admin key list']);
});
