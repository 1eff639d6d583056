import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { collect, type EventsBench, newEvent, openEventsBench, untilNumbered } from './testing.ts';

let bench: EventsBench;
beforeEach(async () => {
  bench = await openEventsBench();
});
afterEach(() => bench.close());

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

async function list(accountId: AccountId): Promise<Map<string, number>> {
  const things = await bench.store.connection
    .collection<{ _id: string; version: number }>('things')
    .find({ _id: { $regex: `^${accountId}/` } })
    .toArray();
  return new Map(things.map(({ _id, version }) => [_id.slice(accountId.length + 1), version]));
}

describe('a list and the events after the cursor that was read before it', () => {
  test('have every change, however many writers there are meanwhile', async () => {
    const events = bench.open();
    events.sequencer.start();
    let writing = true;
    const writers = times(4, async (writer) => {
      for (let change = 0; change < 40; change += 1) {
        await bench.change('acme/sandbox', `op${(writer + change) % 6}`);
        await bench.change('globex/sandbox', `op${change % 3}`);
      }
    });
    const done = Promise.all(writers).then(() => {
      writing = false;
    });
    const readers: ((final: Map<string, number>) => Promise<void>)[] = [];
    while (writing) {
      const after = await events.latestCursor('acme/sandbox');
      const listed = await list('acme/sandbox');
      const { got, iterator } = await collect(events, { accountId: 'acme/sandbox' as const, after });
      readers.push(async (final) => {
        await until('the last event', () => got.at(-1)?.entityId === 'end');
        const known = new Map(listed);
        for (const { entityId, version } of got.slice(0, -1)) {
          // Never a version that skips one: what a client makes of list and events has no holes.
          expect(version).toBeLessThanOrEqual((known.get(entityId) ?? 0) + 1);
          known.set(entityId, Math.max(version, known.get(entityId) ?? 0));
        }
        expect(known).toEqual(final);
        await iterator.return?.();
      });
    }
    await done;
    const final = await list('acme/sandbox');
    await untilNumbered(bench, 320);
    // With the last event of all, each follower has everything.
    await bench.change('acme/sandbox', 'end');
    expect(readers.length).toBeGreaterThan(3);
    for (const check of readers) {
      await check(final);
    }
  }, 240_000); // Hundreds of calls: a slow store takes its time.
});

describe('the latest cursor', () => {
  test('is that of the last event, and what comes after it follows', async () => {
    const events = bench.open();
    events.sequencer.start();
    await bench.append([newEvent({ entityId: 'a' }), newEvent({ accountId: 'globex/sandbox' as const })]);
    await untilNumbered(bench, 2);
    const { got } = await collect(events, {
      accountId: 'acme/sandbox' as const,
      after: await events.latestCursor('acme/sandbox'),
    });
    await bench.append([newEvent({ entityId: 'b' })]);
    await until('the event after it', () => got.length === 1);
    expect(got).toMatchObject([{ entityId: 'b' }]);
    expect(await events.latestCursor('acme/sandbox')).toBe(got[0]?.cursor);
    expect(await bench.open().latestCursor('acme/sandbox')).toBe(got[0]?.cursor);
  });

  test("does not move with other tenants' events, and is none of theirs", async () => {
    const events = bench.open();
    events.sequencer.start();
    await bench.append([newEvent({ entityId: 'a' }), newEvent({ accountId: 'globex/sandbox' as const })]);
    await untilNumbered(bench, 2);
    const [acme, globex, nobody] = await Promise.all(
      (['acme/sandbox', 'globex/sandbox', 'nobody/sandbox'] as const).map((accountId) =>
        events.latestCursor(accountId),
      ),
    );
    await bench.append(
      times(700, (index) => newEvent({ accountId: 'globex/sandbox' as const, entityId: `more${index}` })),
    );
    await untilNumbered(bench, 702);
    expect(await events.latestCursor('acme/sandbox')).toBe(acme);
    expect(await events.latestCursor('nobody/sandbox')).toBe(nobody);
    expect(await events.latestCursor('globex/sandbox')).not.toBe(globex);
    const signal = new AbortController().signal;
    const stolen = await events.follow({
      accountId: 'globex/sandbox' as const,
      entity: 'operation',
      after: acme,
      signal,
    });
    expect(stolen).toMatchObject({ ok: false, failures: [{ code: 'INVALID_CURSOR' }] });
  });

  test('of a log without events is its beginning', async () => {
    const events = bench.open();
    events.sequencer.start();
    const { got } = await collect(events, {
      accountId: 'acme/sandbox' as const,
      after: await events.latestCursor('acme/sandbox'),
    });
    await bench.append([newEvent()]);
    await until('the first event', () => got.length === 1);
  });

  test('is good for as long as the log is kept, though its event is old', async () => {
    const numbered = bench.open();
    numbered.sequencer.start();
    await bench.append([newEvent({ entityId: 'old' })]);
    await untilNumbered(bench, 1);
    await numbered.close();
    let now = new Date(Date.now() + 29.5 * 86_400_000);
    const events = bench.open({ clock: () => now });
    const cursor = await events.latestCursor('acme/sandbox');
    now = new Date(now.getTime() + 28 * 86_400_000);
    const { got } = await collect(events, { accountId: 'acme/sandbox' as const, after: cursor });
    events.sequencer.start();
    await bench.append([newEvent({ entityId: 'new' })]);
    await until('the event after it', () => got.length === 1);
    expect(got).toMatchObject([{ entityId: 'new' }]);
  });
});

test('one event has one cursor, in whichever process and however it is read', async () => {
  const [first, second] = [bench.open(), bench.open({ connection: await bench.connect() })];
  first.sequencer.start();
  const live = await collect(first, { accountId: 'acme/sandbox' as const });
  const start = await first.latestCursor('acme/sandbox');
  await bench.append(times(3, (index) => newEvent({ entityId: `op${index}` })));
  await until('the live events', () => live.got.length === 3);
  const replayed = await collect(second, { accountId: 'acme/sandbox' as const, after: start });
  await until('the events again', () => replayed.got.length === 3);
  const cursors = live.got.map(({ cursor }) => cursor);
  expect(replayed.got.map(({ cursor }) => cursor)).toEqual(cursors);
  expect(new Set(cursors).size).toBe(3);
});
