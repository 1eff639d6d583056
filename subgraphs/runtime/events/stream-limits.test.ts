import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import type { AccountId } from '../../kernel/account.ts';
import { createCursors } from './cursor.ts';
import type { Events } from './index.ts';
import { collect, type EventsBench, openEventsBench, TEST_KEY, untilNumbered } from './testing.ts';

let bench: EventsBench;
let events: Events;

beforeEach(async () => {
  bench = await openEventsBench();
  events = bench.open();
  events.sequencer.start();
});
afterEach(() => bench.close());

const signal = new AbortController().signal;
const cursorAt = (
  seq: number,
  accountId: AccountId = 'acme/sandbox',
  keptUntil = new Date(Date.now() + 60_000),
) => createCursors([TEST_KEY]).encode(accountId, { seq, keptUntil });

describe('cursors that are refused', () => {
  const codeOf = async (after: string, accountId: AccountId = 'acme/sandbox') => {
    const followed = await events.follow({
      accountId,
      entity: 'operation',
      after,
      signal: AbortSignal.abort(),
    });
    return followed.ok ? 'ok' : followed.failures.map(({ code }) => code).join();
  };

  test('should be INVALID_CURSOR when unreadable, foreign, of another key or past the end', async () => {
    await bench.change('acme/sandbox', 'op');
    await untilNumbered(bench, 1);
    expect(await codeOf('nonsense')).toBe('INVALID_CURSOR');
    expect(await codeOf(cursorAt(1, 'globex/sandbox'))).toBe('INVALID_CURSOR');
    expect(await codeOf(cursorAt(1), 'globex/sandbox')).toBe('INVALID_CURSOR');
    const foreignKey = createCursors([randomBytes(32)]).encode('acme/sandbox', {
      seq: 1,
      keptUntil: new Date(2 ** 42),
    });
    expect(await codeOf(foreignKey)).toBe('INVALID_CURSOR');
    expect(await codeOf(cursorAt(2))).toBe('INVALID_CURSOR');
    expect((await events.status()).activeFollowers).toBe(0);
  });

  test('should be CURSOR_EXPIRED from the end of retention on, also when the event is gone', async () => {
    const { got } = await collect(events, { accountId: 'acme/sandbox' });
    const written = Date.now();
    await bench.change('acme/sandbox', 'op');
    await until('it came', () => got.length === 1);
    const { cursor } = got[0]!;
    const { keptUntil } = createCursors([TEST_KEY]).decode('acme/sandbox', cursor)!;
    const days = (keptUntil.getTime() - written) / 86_400_000;
    expect(days).toBeGreaterThanOrEqual(30);
    expect(days).toBeLessThan(30.01);
    let now = new Date(keptUntil.getTime() - 1);
    events = bench.open({ clock: () => now });
    expect(await codeOf(cursor)).toBe('ok');
    now = keptUntil;
    expect(await codeOf(cursor)).toBe('CURSOR_EXPIRED');
    await bench.models.events.deleteMany({});
    expect(await codeOf(cursor)).toBe('CURSOR_EXPIRED');
  });
});

describe('the end of an iteration', () => {
  test('should come at once by return, abort and close, while waiting for an event', async () => {
    const returned = await collect(events, { accountId: 'acme/sandbox' as const });
    const controller = new AbortController();
    const aborted = await collect(events, { accountId: 'acme/sandbox' as const, signal: controller.signal });
    const closed = await collect(events, { accountId: 'acme/sandbox' as const });
    expect((await events.status()).activeFollowers).toBe(3);
    expect(await returned.iterator.return?.()).toEqual({ done: true, value: undefined });
    await returned.ended;
    expect((await events.status()).activeFollowers).toBe(2);
    controller.abort();
    await aborted.ended;
    expect((await events.status()).activeFollowers).toBe(1);
    await events.close();
    await closed.ended;
    expect((await events.status()).activeFollowers).toBe(0);
    expect(await closed.iterator.next()).toEqual({ done: true, value: undefined });
    await expect(events.follow({ accountId: 'acme/sandbox', entity: 'operation', signal })).rejects.toThrow(
      'closed',
    );
  });

  test('should be there from the start for a signal that was aborted before', async () => {
    const { got, ended } = await collect(events, { accountId: 'acme/sandbox', signal: AbortSignal.abort() });
    await ended;
    expect(got).toEqual([]);
    expect((await events.status()).activeFollowers).toBe(0);
  });

  test('should bring the fault of a filter to its own consumer only', async () => {
    const issue = new Error('filter');
    const faulty = await collect(events, {
      accountId: 'acme/sandbox' as const,
      matches: () => {
        throw issue;
      },
    });
    const sound = await collect(events, { accountId: 'acme/sandbox' as const });
    const failed = expect(faulty.ended).rejects.toBe(issue);
    await bench.change('acme/sandbox', 'op');
    await failed;
    await until('the sound one has it', () => sound.got.length === 1);
    expect((await events.status()).activeFollowers).toBe(1);
  });
});
