import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { storeLayout } from './layout.ts';
import { findProcess } from './process-identity.ts';
import { endLeftoverServer, recordServer } from './server-record.ts';
import { memoryLog, temporaryDirectory } from './testing/script-process.ts';

let directory: ReturnType<typeof temporaryDirectory>;
let server: ChildProcess;
const layout = () => storeLayout(directory.path);

beforeEach(() => {
  directory = temporaryDirectory();
  mkdirSync(layout().root);
  server = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)', layout().data('mongod')]);
});

afterEach(() => {
  server.kill('SIGKILL');
  directory.remove();
});

test('ends the recorded server and forgets it', async () => {
  const { log, lines } = memoryLog();
  recordServer(layout(), server.pid!, layout().data('mongod'));
  await endLeftoverServer(layout(), log);
  expect(findProcess(server.pid!)).toBeUndefined();
  expect(existsSync(layout().serverFile)).toBe(false);
  expect(lines).toEqual([expect.objectContaining({ level: 40, pid: server.pid })]);
});

test.each([
  ['its number now belongs to a later process', { startedAt: 'long-ago' }],
  ['its command line is another program’s', { dataPath: '/elsewhere' }],
])('signals nobody when %s', async (_case, difference) => {
  const { log, lines } = memoryLog();
  recordServer(layout(), server.pid!, layout().data('mongod'));
  const record = JSON.parse(readFileSync(layout().serverFile, 'utf8'));
  writeFileSync(layout().serverFile, JSON.stringify({ ...record, ...difference }));
  await endLeftoverServer(layout(), log);
  expect(findProcess(server.pid!)).toBeDefined();
  expect(existsSync(layout().serverFile)).toBe(false);
  expect(lines).toEqual([]);
});

test('a record that is damaged stops the start', async () => {
  writeFileSync(layout().serverFile, '{"pid":');
  await expect(endLeftoverServer(layout(), memoryLog().log)).rejects.toThrow(/server\.json is damaged/);
});
