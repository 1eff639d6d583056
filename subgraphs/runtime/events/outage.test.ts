import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { type StoreProxy, startStoreProxy } from '../../../test/support/store-proxy.ts';
import { until } from '../../../test/support/until.ts';
import { collect, type EventsBench, openEventsBench } from './testing.ts';

let bench: EventsBench;
let store: StoreProxy;

beforeEach(async () => {
  bench = await openEventsBench();
  store = await startStoreProxy(bench.store.connection.name);
});
afterEach(async () => {
  await bench.close();
  await store.close();
});

test('should outlive a store that goes away, lose nothing, and say so once', async () => {
  const lines: { msg: string; part?: string }[] = [];
  const log = pino(
    new Writable({
      write: (chunk, _encoding, done) => {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    }),
  );
  const events = bench.open({ connection: await bench.connect(store.uri), log, queueLimit: 2 });
  events.sequencer.start();
  const { got, iterator } = await collect(events, { accountId: 'acme/sandbox' });
  await bench.change('acme/sandbox', 'op');
  await until('the first came', () => got.length === 1);
  const said = (msg: string, part: string) =>
    lines.filter((line) => line.msg === msg && line.part === part).length;

  store.cut();
  for (let change = 0; change < 10; change += 1) {
    await bench.change('acme/sandbox', 'op');
  }
  await until('both noticed', () =>
    ['sequencer', 'tail'].every((part) => said('events.outage_began', part) > 0),
  );
  expect(got).toHaveLength(1);
  await expect(events.status()).rejects.toThrow();

  store.restore();
  await until('the rest came', () => got.length === 11);
  expect(got.map(({ version }) => version)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  for (const part of ['sequencer', 'tail']) {
    expect(said('events.outage_began', part)).toBe(1);
    await until(`the end is logged by ${part}`, () => said('events.outage_ended', part) === 1);
  }
  await iterator.return?.();
});

test('should end while the store is away, and leave nothing running', async () => {
  const events = bench.open({ connection: await bench.connect(store.uri) });
  events.sequencer.start();
  const { ended } = await collect(events, { accountId: 'acme/sandbox' });
  await bench.change('acme/sandbox', 'op');
  store.cut();
  await Promise.all([events.close(), ended]);
});
