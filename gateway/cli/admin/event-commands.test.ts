import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DEFAULT_PARTITIONS } from '../../../subgraphs/kernel/config/work-settings.ts';
import { createProcessModel } from '../../../subgraphs/runtime/processes/model.ts';
import { runCommand, UsageError } from './commands.ts';
import { readPartitions } from './events.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

let bench: AdminBench;
beforeAll(async () => {
  bench = await openAdminBench();
  await readPartitions(bench.connection, DEFAULT_PARTITIONS);
});
afterAll(() => bench.close());

const divide = (...options: string[]) => runCommand(bench.deps, ['events', 'partition', ...options]);
const partitions = () => readPartitions(bench.connection, DEFAULT_PARTITIONS);

/** A server that has reported so many seconds ago. */
const storeServer = (seconds: number) => {
  const at = new Date(Date.now() - seconds * 1_000);
  return createProcessModel(bench.connection).create({
    ...{ _id: `proc_${seconds}`, role: 'worker', version: '1.0.0', host: `host-${seconds}`, pid: 7 },
    ...{ startedAt: at, seenAt: at, settings: [] },
  });
};

test('events partition changes nothing without a valid count, or while a server runs', async () => {
  await expect(divide()).rejects.toThrow(UsageError);
  await expect(divide('--count', '0')).rejects.toThrow('a whole number from 1 to 128');
  await expect(divide('--count', 'many')).rejects.toThrow('a whole number from 1 to 128');
  const server = await storeServer(60);
  await expect(divide('--count', '8')).rejects.toThrow('worker on host-60 (process 7)');
  await server.deleteOne();
  expect(await partitions()).toBe(64);
});

test('events partition divides the log when all servers have ended, with an entry in the log of operators', async () => {
  // Killed: its record is still there.
  await storeServer(120);
  expect(await divide('--count', '8')).toMatchObject({
    rows: [{ before: 64, after: 8 }],
    next: [expect.stringContaining('EVENT_LOG_PARTITIONS=8')],
  });
  expect(await partitions()).toBe(8);
  const { rows } = await runCommand(bench.deps, ['log', '--act', 'events partition']);
  expect(rows).toMatchObject([
    { subject: 'event log', before: { partitions: 64 }, after: { partitions: 8 } },
  ]);
  // Repeated: nothing changes, and there is no second entry.
  await divide('--count', '8');
  expect((await runCommand(bench.deps, ['log', '--act', 'events partition'])).rows).toHaveLength(1);
});
