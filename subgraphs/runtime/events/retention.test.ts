import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../../../test/support/until.ts';
import { collect, type EventsBench, newEvent, openEventsBench, times, untilNumbered } from './testing.ts';

const DAY = 86_400_000;
const running = () => new AbortController().signal;

describe('retention of the event log', () => {
  let bench: EventsBench;
  const time = { ahead: 0 };
  beforeAll(async () => {
    bench = await openEventsBench();
  });
  afterEach(() => {
    time.ahead = 0;
  });
  afterAll(() => bench.close());

  test('a valid cursor misses nothing, an expired one fails, and events without a number stay', async () => {
    const events = bench.open({ clock: () => new Date(Date.now() + time.ahead), retentionDays: 30 });
    events.sequencer.start();
    for (const id of ['a', 'b', 'c']) {
      await bench.change('acme/sandbox', id);
    }
    await untilNumbered(bench, 3);
    const oldCursor = await events.latestCursor('acme/sandbox');
    time.ahead = 10 * DAY;
    await Promise.all(times(150, (index) => bench.change('acme/sandbox', `later${index}`)));
    await untilNumbered(bench, 153);
    const { got, iterator } = await collect(events, { accountId: 'acme/sandbox', after: oldCursor });
    await until('all that is later', () => got.length === 150);
    await iterator.return?.();
    const laterCursor = got[0]!.cursor;
    await events.sequencer.stop();
    await bench.append([newEvent({ entityId: 'unnumbered', occurredAt: new Date(0) })]);

    // Kept for 30 days, and a day longer for clocks that differ.
    time.ahead = 30.9 * DAY;
    expect(await events.removeExpired(running())).toBe(0);
    time.ahead = 31.1 * DAY;
    expect(await events.removeExpired(running())).toBe(3);
    const expired = await events.follow({
      accountId: 'acme/sandbox',
      entity: 'operation',
      after: oldCursor,
      signal: running(),
    });
    expect(expired).toMatchObject({ ok: false, failures: [{ code: 'CURSOR_EXPIRED' }] });
    const kept = await collect(events, { accountId: 'acme/sandbox', after: laterCursor });
    await until('all behind the cursor', () => kept.got.length === 149);
    await kept.iterator.return?.();

    time.ahead = 41.1 * DAY;
    expect(await events.removeExpired(running())).toBe(150);
    expect(await bench.models.events.find().lean()).toMatchObject([{ entityId: 'unnumbered' }]);
  });
});
