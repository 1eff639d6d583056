import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MIGRATIONS } from '../../../subgraphs/runtime/migrations/list.ts';
import { createModels } from '../../app/models.ts';
import { runCommand } from './commands.ts';
import { type AdminBench, openAdminBench } from './testing.ts';

let bench: AdminBench;
beforeAll(async () => {
  bench = await openAdminBench(process.env, { isEmpty: true });
  createModels(bench.connection);
});
afterAll(() => bench.close());

const migrate = (...options: string[]) => runCommand(bench.deps, ['migrate', ...options]);
const collections = async () => (await bench.connection.listCollections()).map(({ name }) => name);

test('on an empty database, --status and --dry-run list pending migrations and write nothing', async () => {
  expect(await migrate('--status')).toMatchObject({
    exitCode: 3,
    rows: MIGRATIONS.map(({ number }) => ({ number, state: 'pending' })),
  });
  const { rows, note } = await migrate('--dry-run');
  expect(note).toContain('would be applied');
  expect(rows).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ number: 1, name: 'schema' }),
      { index: 'events: partition_1_seq_1', state: 'missing' },
    ]),
  );
  expect(await collections()).toEqual([]);
});

test('pending migrations are applied and printed; then none is pending', async () => {
  expect(await migrate()).toMatchObject({
    rows: MIGRATIONS.map(({ number }) => ({ number, state: 'applied' })),
    note: 'Done.',
  });
  expect(await collections()).toEqual(expect.arrayContaining(['events', 'moneyRequests', 'migrations']));
  expect(await migrate('--status')).toMatchObject({
    exitCode: 0,
    rows: MIGRATIONS.map(() => ({ state: 'applied' })),
  });
  expect(await migrate()).toMatchObject({ rows: [], note: 'Nothing was pending.' });
});

test('a dropped index is created again', async () => {
  await bench.connection.collection('events').dropIndex('partition_1_seq_1');
  expect(await migrate('--dry-run')).toMatchObject({
    rows: [{ index: 'events: partition_1_seq_1', state: 'missing' }],
  });
  expect(await migrate()).toMatchObject({
    rows: [{ index: 'events: partition_1_seq_1', state: 'made' }],
    note: 'Done.',
  });
  expect(await migrate('--dry-run')).toMatchObject({ rows: [] });
});

test('collections without a record of their schema are not touched', async () => {
  const records = bench.connection.collection<{ _id: number }>('migrations');
  const stored = await records.find().toArray();
  await records.deleteMany({});
  for (const options of [[], ['--status'], ['--dry-run']]) {
    await expect(migrate(...options)).rejects.toThrow('no record of its schema');
  }
  expect(await records.countDocuments()).toBe(0);
  await records.insertMany(stored);
});

test('shard prints a command for each sharded collection, with an index if none fits, and changes nothing', async () => {
  const before = await bench.connection.listCollections();
  const { rows } = await runCommand(bench.deps, ['shard']);
  const { name } = bench.connection;
  expect(rows).toContainEqual({
    collection: 'moneyRequests',
    shard: `sh.shardCollection("${name}.moneyRequests", {"accountId":1,"referenceId":1})`,
  });
  expect(rows).toContainEqual({
    collection: 'webhookDeliveries',
    index: `db.getSiblingDB("${name}").webhookDeliveries.createIndex({"accountId":1,"_id":1})`,
    shard: `sh.shardCollection("${name}.webhookDeliveries", {"accountId":1,"_id":1})`,
  });
  expect(rows.map(({ collection }) => collection)).not.toContain('events');
  const hashed = await runCommand(bench.deps, ['shard', '--hashed']);
  expect(hashed.rows).toHaveLength(rows.length);
  expect(hashed.rows).toContainEqual({
    collection: 'idempotencyKeys',
    index: `db.getSiblingDB("${name}").idempotencyKeys.createIndex({"_id":"hashed"})`,
    shard: `sh.shardCollection("${name}.idempotencyKeys", {"_id":"hashed"})`,
  });
  expect(await bench.connection.listCollections()).toEqual(before);
});
