import { jest } from '@jest/globals';
import { createLiveClient, type LiveClientOptions } from '../client.ts';
import type { LiveState } from '../live-items.ts';
import { createFakeHttp } from './fake-http.ts';
import { createFakeSockets, settle } from './fake-sockets.ts';

/** A subscription that can be resumed. */
export const SUBSCRIPTION = 'subscription ($after: String) { changed(after: $after) { cursor n } }';
/** A list that can be followed. */
export const LIST = 'query { latestEventCursor things { n } }';

/** The items of the subscription. */
export interface Changed {
  readonly changed: { readonly cursor: string; readonly n: number };
}

/** A client of a runtime that leads to the test. */
export function start(options: Partial<LiveClientOptions> = {}) {
  const sockets = createFakeSockets();
  const http = createFakeHttp();
  const client = createLiveClient({
    url: 'https://api.test/graphql',
    credential: { apiKey: 'k' },
    transport: 'websocket',
    webSocket: sockets.WebSocket,
    fetch: http.fetch,
    // Waits are as long as they can be.
    random: () => 1,
    ...options,
  });
  const states: LiveState[] = [];
  const onState = (state: LiveState) => void states.push(state);
  return { sockets, http, client, states, onState };
}

export type Started = ReturnType<typeof start>;

/** Reads all that comes, in the background. */
export function read<Item>(items: AsyncIterable<Item>) {
  const got: Item[] = [];
  const done = (async () => {
    for await (const item of items) {
      got.push(item);
    }
  })();
  // Code that awaits it gets the failure.
  done.catch(() => undefined);
  return { got, done };
}

/** Sends an event over the last socket. */
export function say({ sockets }: Started, n: number, errors?: object): void {
  const socket = sockets.last();
  const payload = { data: { changed: { cursor: `c${n}`, n } }, ...errors };
  socket.say({ id: socket.subscription().id, type: 'next', payload });
}

/** Ends the subscription of the last socket with an error. */
export function fail({ sockets }: Started, code: string): void {
  const socket = sockets.last();
  const payload = [{ message: 'No', extensions: { code } }];
  socket.say({ id: socket.subscription().id, type: 'error', payload });
}

export const names = (states: readonly LiveState[]) => states.map(({ name }) => name);
/** Its waits, milliseconds. */
export const waits = (states: readonly LiveState[]) =>
  states.flatMap((state) => (state.name === 'resuming' ? [state.inMs] : []));
/** Events by their numbers; a list is `list`. */
export const numbers = (items: readonly { readonly kind: string; readonly data: unknown }[]) =>
  items.map(({ kind, data }) => (kind === 'event' ? (data as Changed).changed.n : kind));

/** Lets time pass. */
export async function pass(ms: number): Promise<void> {
  await settle();
  jest.advanceTimersByTime(ms);
  await settle();
}
