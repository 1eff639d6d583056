import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { countCommands } from '../../../test/support/count-commands.ts';
import { startMongosProxy } from '../../../test/support/mongos-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { connect } from '../../kernel/database/connect.ts';
import type { UnclaimedWork } from './index.ts';
import { type EventsBench, newEvent, openEventsBench } from './testing.ts';

let bench: EventsBench;

beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

test('announces only work without a lease, of any process', async () => {
  const received: UnclaimedWork[] = [];
  let opened = 0;
  const events = bench.open({ connection: await bench.connect() });
  const listener = events.onUnclaimed({
    onOpen: () => {
      opened += 1;
    },
    onWork: (work) => received.push(...work),
  });
  await until('it listens', () => opened === 1);
  const work = { accountId: 'globex/sandbox', entity: 'remittance', unclaimed: true } as const;
  await bench.append([newEvent({ ...work, entityId: 'r1' })]);
  await bench.append([newEvent({ entityId: 'leased' })]);
  await bench.append([newEvent({ ...work, entityId: 'r2' }), newEvent({ ...work, entityId: 'r3' })]);
  await until('three', () => received.length === 3);
  expect(received).toEqual(
    ['r1', 'r2', 'r3'].map((entityId) => ({ accountId: 'globex/sandbox', entity: 'remittance', entityId })),
  );
  await listener.stop();
  await bench.append([newEvent({ ...work, entityId: 'r4' })]);
  // A listener that starts after that one is stored receives a later one first.
  let again = 0;
  const later: UnclaimedWork[] = [];
  const other = events.onUnclaimed({
    onOpen: () => {
      again += 1;
    },
    onWork: (more) => later.push(...more),
  });
  await until('it listens again', () => again === 1);
  await bench.append([newEvent({ ...work, entityId: 'r5' })]);
  await until('the later one', () => later.length > 0);
  await other.stop();
  expect(later.map(({ entityId }) => entityId)).toEqual(['r5']);
  expect(received).toHaveLength(3);
});

test('a process that receives events polls a quarter as often', async () => {
  const events = bench.open({ pollMs: 50 });
  events.sequencer.start();
  await until('it has partitions', async () => (await events.status()).ownPartitions > 0);
  // The stream is open when it reports an event of another process.
  await bench.change('acme/sandbox', 'op');
  await until('it is numbered', async () => (await bench.numbered()).length === 1);
  const from = performance.now();
  const counts = await countCommands(bench.store.connection, async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
  });
  expect(counts['find events']).toBeLessThanOrEqual((performance.now() - from) / 200 + 2);
});

test('work is announced, numbered and followed while a mongos holds changes back', async () => {
  // The change stream is too late for this test: only polls can bring what it waits for.
  const mongos = await startMongosProxy({ lateMs: 3_600_000 });
  const connection = await connect(mongos.uriOf(bench.store.connection.name), undefined);
  try {
    const events = bench.open({ connection });
    events.sequencer.start();
    await until('it has partitions', async () => (await events.status()).ownPartitions > 0);
    const received: string[] = [];
    const listener = events.onUnclaimed({
      onOpen: () => undefined,
      onWork: (work) => received.push(...work.map(({ entityId }) => entityId)),
    });
    const { signal } = new AbortController();
    const follower = await events.follow({ accountId: 'acme/sandbox', entity: 'remittance', signal });
    const followed = follower.ok ? follower.value.next() : undefined;
    let early = 0;
    await until('a look', async () => {
      early += 1;
      await bench.append([newEvent({ entity: 'remittance', entityId: `early${early}`, unclaimed: true })]);
      return received.length > 0;
    });
    expect((await followed)?.value).toMatchObject({ entityId: 'early1' });
    await bench.append([
      newEvent({ entity: 'remittance', entityId: 'leased' }),
      newEvent({ entity: 'remittance', entityId: 'unclaimed', unclaimed: true }),
    ]);
    await until('the work', () => received.includes('unclaimed'));
    expect(received).not.toContain('leased');
    await listener.stop();
  } finally {
    await connection.destroy();
    await mongos.close();
  }
});
