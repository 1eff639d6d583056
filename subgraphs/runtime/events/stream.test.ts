import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { createCursors } from './cursor.ts';
import type { Events, LoggedEvent } from './index.ts';
import { collect, type EventsBench, newEvent, openEventsBench, TEST_KEY, untilNumbered } from './testing.ts';

let bench: EventsBench;
let events: Events;

beforeEach(async () => {
  bench = await openEventsBench();
  events = bench.open();
  events.sequencer.start();
});
afterEach(() => bench.close());

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));
const signal = new AbortController().signal;
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

/** Everything numbered of a tenant, with the cursor of each. */
async function history(
  accountId: AccountId = 'acme/sandbox',
): Promise<{ id: string; entityId: string; cursor: string }[]> {
  const found = await bench.models.events
    .find({ accountId, seq: { $gt: 0 } })
    .sort({ seq: 1 })
    .lean();
  const cursors = createCursors([TEST_KEY]);
  return found.map(({ _id, seq, keptUntil, entityId }) => ({
    id: _id.toHexString(),
    entityId,
    cursor: cursors.encode(accountId, { seq: seq!, keptUntil: keptUntil! }),
  }));
}

const cursorAt = (
  seq: number,
  accountId: AccountId = 'acme/sandbox',
  keptUntil = new Date(Date.now() + 60_000),
) => createCursors([TEST_KEY]).encode(accountId, { seq, keptUntil });

describe('follow from now on', () => {
  test('should give everything committed after it resolved, in order, with all its fields', async () => {
    await bench.change('acme/sandbox', 'before');
    await untilNumbered(bench, 1);
    const { got } = await collect(events, { accountId: 'acme/sandbox' as const });
    const occurredAt = new Date('2026-11-21T08:00:00.000Z');
    await bench.append([
      newEvent({ entityId: 'op1', occurredAt, data: { userId: 'u1' } }),
      newEvent({ entityId: 'op1', version: 2, occurredAt, statusDetails: 'Why' }),
    ]);
    await until('both came', () => got.length === 2);
    expect(got).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{24}$/),
        cursor: expect.stringMatching(/^[A-Za-z0-9_-]{59}$/),
        accountId: 'acme/sandbox',
        entity: 'operation',
        entityId: 'op1',
        version: 1,
        type: 'operation.created',
        previousStatus: null,
        status: 's1',
        data: { userId: 'u1' },
        occurredAt,
      },
      expect.objectContaining({
        version: 2,
        previousStatus: 's1',
        status: 's2',
        statusDetails: 'Why',
        data: {},
      }),
    ]);
  });

  test('should not lose events that are committed before the first pull', async () => {
    const followed = await events.follow({ accountId: 'acme/sandbox' as const, entity: 'operation', signal });
    await bench.change('acme/sandbox', 'op');
    await untilNumbered(bench, 1);
    if (!followed.ok) {
      throw new Error('refused');
    }
    expect((await followed.value.next()).value).toMatchObject({ entityId: 'op' });
    await followed.value.return?.();
  });

  test('should keep tenants, kinds and entities apart, and leave out other events', async () => {
    const followers = {
      acme: await collect(events, { accountId: 'acme/sandbox' as const }),
      globex: await collect(events, { accountId: 'globex/sandbox' as const }),
      links: await collect(events, { accountId: 'acme/sandbox' as const, entity: 'link' }),
      one: await collect(events, { accountId: 'acme/sandbox' as const, entityId: 'op2' }),
      odd: await collect(events, {
        accountId: 'acme/sandbox' as const,
        matches: ({ entityId }) => entityId !== 'op2',
      }),
    };
    await bench.append([
      newEvent({ entityId: 'op1' }),
      newEvent({ entityId: 'op2' }),
      newEvent({ entityId: 'op2', accountId: 'globex/sandbox' }),
      newEvent({ entityId: 'op2', entity: 'link' }),
      newEvent({ entityId: 'last' }),
      newEvent({ entityId: 'last', accountId: 'globex/sandbox' }),
    ]);
    await until('the last came', () => followers.acme.got.length === 3 && followers.globex.got.length === 2);
    const seen = Object.entries(followers).map(([name, { got }]) => [
      name,
      got.map((event) => event.entityId),
    ]);
    expect(Object.fromEntries(seen)).toEqual({
      acme: ['op1', 'op2', 'last'],
      globex: ['op2', 'last'],
      links: ['op2'],
      one: ['op2'],
      odd: ['op1', 'last'],
    });
    expect(followers.globex.got.every(({ accountId }) => accountId === 'globex/sandbox')).toBe(true);
  });

  test('should notice events of another process at once, by change streams alone', async () => {
    const far = bench.open({ connection: await bench.connect(), pollMs: 60_000 });
    const { got } = await collect(far, { accountId: 'acme/sandbox' as const });
    await bench.change('acme/sandbox', 'op');
    await until('it came', () => got.length === 1);
  });
});

describe('follow after a cursor', () => {
  test('should give each follower exactly the events after its cursor, while events are written', async () => {
    const other = bench.open({ connection: await bench.connect(), queueLimit: 5 });
    const TENANTS = ['acme/sandbox', 'globex/sandbox'] as const;
    const CHANGES = 300;
    const started: { accountId: AccountId; after: string; seen: LoggedEvent[] }[] = [];
    let writing = true;
    const write = async (writer: number) => {
      for (let change = 0; change < CHANGES / 10; change += 1) {
        await bench.change(TENANTS[(writer + change) % 2]!, `op${(writer * 7 + change) % 13}`);
      }
    };
    /** Follows from a random place of the log, leaves and comes back with the last cursor, again and again. */
    const wander = async (index: number) => {
      const accountId = TENANTS[index % 2]!;
      const past = await history(accountId);
      const place = past[Math.floor(Math.random() * past.length)]!;
      const one = { accountId, after: place.id, seen: [] as LoggedEvent[] };
      started.push(one);
      let cursor = place.cursor;
      while (writing) {
        const { got, iterator, ended } = await collect(index % 3 === 0 ? other : events, {
          accountId,
          after: cursor,
        });
        const enough = Math.floor(Math.random() * 30);
        await until('enough came', () => got.length >= enough || !writing);
        await iterator.return?.();
        await ended;
        one.seen.push(...got);
        cursor = one.seen.at(-1)?.cursor ?? cursor;
      }
      const expected = await rest(accountId, place.id);
      const { got, iterator } = await collect(events, { accountId, after: cursor });
      await until('the rest came', () => one.seen.length + got.length >= expected.length);
      await iterator.return?.();
      one.seen.push(...got);
    };
    const rest = async (accountId: AccountId, id: string) => {
      const all = idsOf(await history(accountId));
      return all.slice(all.indexOf(id) + 1);
    };
    await Promise.all(
      TENANTS.flatMap((accountId) => times(3, (index) => bench.change(accountId, `first${index}`))),
    );
    await untilNumbered(bench, 6);
    const wanderers = times(24, wander);
    await Promise.all(times(10, write));
    await untilNumbered(bench, CHANGES + 6);
    writing = false;
    await Promise.all(wanderers);
    for (const { accountId, after, seen } of started) {
      expect(idsOf(seen)).toEqual(await rest(accountId, after));
    }
    expect((await events.status()).activeFollowers).toBe(0);
    expect((await other.status()).activeFollowers).toBe(0);
  });

  test('should read a long past in many pages, then go on live', async () => {
    for (let batch = 0; batch < 3; batch += 1) {
      await bench.append(times(250, (index) => newEvent({ entityId: `${batch}-${index}` })));
      // Of the other tenant in between: the span that is read at once must grow and shrink.
      await bench.append(
        times(250, (index) => newEvent({ accountId: 'globex/sandbox', entityId: `${batch}-${index}` })),
      );
    }
    await untilNumbered(bench, 1_500);
    const { got } = await collect(events, { accountId: 'acme/sandbox', after: cursorAt(0) });
    const sparse = await collect(events, {
      accountId: 'acme/sandbox' as const,
      after: cursorAt(0),
      entityId: '2-249',
    });
    await until('the past came', () => got.length === 750);
    await bench.append([newEvent({ entityId: 'new' })]);
    await until('the new one came', () => got.length === 751);
    expect(idsOf(got)).toEqual(idsOf(await history('acme/sandbox')));
    expect(sparse.got.map(({ entityId }) => entityId)).toEqual(['2-249']);
  });

  test('should go on with a cursor after all processes were restarted', async () => {
    const { got } = await collect(events, { accountId: 'acme/sandbox' });
    await bench.change('acme/sandbox', 'op');
    await until('it came', () => got.length === 1);
    await events.close();
    await bench.change('acme/sandbox', 'op');
    const restarted = bench.open({ connection: await bench.connect() });
    restarted.sequencer.start();
    const after = got[0]!.cursor;
    const continued = await collect(restarted, { accountId: 'acme/sandbox' as const, after });
    await bench.change('acme/sandbox', 'op');
    await until('both came', () => continued.got.length === 2);
    expect(continued.got.map(({ version }) => version)).toEqual([2, 3]);
  });

  test('should lose nothing for a follower that is too slow, nor keep more than the limit', async () => {
    const slow = bench.open({ queueLimit: 10 });
    const followed = await slow.follow({ accountId: 'acme/sandbox' as const, entity: 'operation', signal });
    const quick = await collect(slow, { accountId: 'acme/sandbox' as const });
    if (!followed.ok) {
      throw new Error('refused');
    }
    const got: string[] = [];
    const pull = async () => got.push((await followed.value.next()).value.id);
    await bench.change('acme/sandbox', 'op');
    await pull();
    await bench.append(times(300, (index) => newEvent({ entityId: `op${index}` })));
    await until('the quick one has all', () => quick.got.length === 301);
    while (got.length < 301) {
      await pull();
    }
    await bench.change('acme/sandbox', 'op');
    await pull();
    expect(got).toEqual(idsOf(await history()));
    await followed.value.return?.();
  });
});
