import { afterEach, expect, test } from '@jest/globals';
import { type ClosesAt, type ClosingServer, serveClosingSockets } from '../engine/testing/index.ts';
import { createGraphSocket, isKeyRefused } from './graph-socket.ts';

let server: ClosingServer | undefined;
afterEach(() => server?.close());

async function readAll(url: string): Promise<{ events: unknown[]; error: unknown }> {
  const events: unknown[] = [];
  try {
    for await (const event of createGraphSocket(url, 'key').iterate({ query: 'subscription { a }' })) {
      events.push(event);
    }
    return { events, error: 'completed' };
  } catch (error) {
    return { events, error };
  }
}

test.each<[ClosesAt, number]>([
  ['before acknowledging', 1000],
  ['after acknowledging', 1000],
  ['after subscribe', 1000],
  ['after an event', 1000],
  ['after an event', 1001],
  ['after an event', 1012],
  ['after an event', 4500],
])(
  'A socket that is closed %s with %i ends its subscription with an error, and is not opened again',
  async (at, code) => {
    server = await serveClosingSockets(at, code, { a: 1 });
    const { events, error } = await readAll(server.url);
    expect(error).toMatchObject({ code: expect.any(Number) });
    expect(events).toEqual(at === 'after an event' ? [{ data: { a: 1 } }] : []);
    // A reconnection would have arrived by now: this connection is accepted after it.
    await readAll(server.url);
    expect(server.connections()).toBe(2);
  },
);

test('A rejected key and a lost server have different errors', async () => {
  server = await serveClosingSockets('after acknowledging', 4403, {});
  expect(isKeyRefused((await readAll(server.url)).error)).toBe(true);
  await server.close();
  server = await serveClosingSockets('after acknowledging', 1000, {});
  expect(isKeyRefused((await readAll(server.url)).error)).toBe(false);
});
