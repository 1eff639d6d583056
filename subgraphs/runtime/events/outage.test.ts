import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { until } from '../../../test/support/until.ts';
import { collect, type EventsBench, openEventsBench } from './testing.ts';

let bench: EventsBench;
let link: Awaited<ReturnType<typeof openLink>>;

beforeEach(async () => {
  bench = await openEventsBench();
  link = await openLink(new URL(bench.store.uri.replace('mongodb:', 'http:')));
});
afterEach(async () => {
  await bench.close();
  await link.close();
});

/** A way to the database that can be cut. */
async function openLink(store: URL) {
  const open = new Set<Socket>();
  let cut = false;
  const server = createServer((inbound) => {
    if (cut) {
      inbound.destroy();
      return;
    }
    const outbound = connect(Number(store.port || 27_017), store.hostname);
    for (const [socket, peer] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      open.add(socket);
      socket.on('error', () => peer.destroy());
      socket.on('close', () => {
        open.delete(socket);
        peer.destroy();
      });
      socket.pipe(peer);
    }
  });
  const sever = () => {
    for (const socket of open) {
      socket.destroy();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    uri: `mongodb://127.0.0.1:${(server.address() as AddressInfo).port}/?directConnection=true`,
    cut: () => {
      cut = true;
      sever();
    },
    fix: () => {
      cut = false;
    },
    close: () => {
      sever();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

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
  const events = bench.open({ connection: await bench.connect(link.uri), log, queueLimit: 2 });
  events.sequencer.start();
  const { got, iterator } = await collect(events, { accountId: 'acme/sandbox' });
  await bench.change('acme/sandbox', 'op');
  await until('the first came', () => got.length === 1);
  const said = (msg: string, part: string) =>
    lines.filter((line) => line.msg === msg && line.part === part).length;

  link.cut();
  for (let change = 0; change < 10; change += 1) {
    await bench.change('acme/sandbox', 'op');
  }
  await until('both noticed', () =>
    ['sequencer', 'tail'].every((part) => said('events.outage_began', part) > 0),
  );
  expect(got).toHaveLength(1);
  await expect(events.stats()).rejects.toThrow();

  link.fix();
  await until('the rest came', () => got.length === 11);
  expect(got.map(({ version }) => version)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1));
  for (const part of ['sequencer', 'tail']) {
    expect(said('events.outage_began', part)).toBe(1);
    await until(`the end is logged by ${part}`, () => said('events.outage_ended', part) === 1);
  }
  await iterator.return?.();
});

test('should end while the store is away, and leave nothing running', async () => {
  const events = bench.open({ connection: await bench.connect(link.uri) });
  events.sequencer.start();
  const { ended } = await collect(events, { accountId: 'acme/sandbox' });
  await bench.change('acme/sandbox', 'op');
  link.cut();
  await Promise.all([events.close(), ended]);
});
