import { setTimeout as delay } from 'node:timers/promises';
import type { Started } from '../offered-load.ts';
import { type Crowd, startCrowd } from '../subscriptions/crowd-process.ts';
import type { Taken, Wanted } from '../subscriptions/crowd-words.ts';
import { FOLLOW, untilOpen } from '../subscriptions/scene.ts';
import type { MixedScene } from './scene.ts';

/** The time between two looks at what has come, and so the error of each latency, milliseconds. */
const LOOK_MS = 10;

/** Subscribers in a process of their own, each of whom follows one operation. */
export interface Live {
  open(): Promise<void>;
  /** Changes the next operation; done when each of its subscribers has the change. */
  start(): Started;
  close(): Promise<void>;
  /** Changes so far for each subscriber: all of them, those that have not come, and those that came twice or for nobody. */
  count(): { readonly expected: number; readonly lost: number; readonly repeated: number };
}

/** A change, and the subscribers that it has yet to reach. */
interface Change {
  readonly missing: Set<number>;
  reached(): void;
  failed(error: Error): void;
}

/** Makes subscribers of the scene's watched operations, who are not there yet. */
export function createLive(scene: MixedScene, subscribers: number): Live {
  const { server, watched } = scene;
  const wanted = scene.subscribers(subscribers, watched);
  const changes = new Map<string, Change>();
  const last = new Map<string, Promise<void>>();
  let [expected, repeated] = [0, 0];
  let crowd: Crowd | undefined;
  let following: Promise<void> | undefined;
  const take = ({ arrivals, problems }: Taken) => {
    for (const { index, details } of arrivals) {
      const change = changes.get(String(details));
      repeated += change?.missing.delete(index) ? 0 : 1;
      if (change?.missing.size === 0) {
        change.reached();
      }
    }
    for (const change of problems.length > 0 ? changes.values() : []) {
      change.failed(new Error(`Live subscribers: ${problems.slice(0, 3).join('; ')}`));
    }
  };
  const follow = async (opened: Crowd) => {
    while (crowd === opened) {
      take(await opened.take());
      await delay(LOOK_MS);
    }
  };
  return {
    open: async () => {
      crowd = await startCrowd();
      // The hostile partner's.
      const others = await server.countSubscriptions();
      await crowd.open({ url: server.url, query: FOLLOW, wanted, perSocket: 1, details: true });
      await untilOpen(server, others + subscribers);
      following = follow(crowd);
    },
    start: () => {
      const operationId = String(watched[changes.size % watched.length]);
      const details = `Change${changes.size}`;
      const missing = subscribersOf(wanted, operationId);
      expected += missing.size;
      const done = new Promise<void>((reached, failed) => changes.set(details, { missing, reached, failed }));
      done.catch(() => undefined);
      // An operation is held and goes on: its changes have an order.
      const before = last.get(operationId) ?? Promise.resolve();
      const accepted = before.then(() => server.change(operationId, details));
      last.set(operationId, accepted);
      return { accepted, done };
    },
    close: async () => {
      const ended = crowd;
      crowd = undefined;
      await following;
      ended?.stop();
    },
    count: () => {
      const lost = [...changes.values()].reduce((sum, { missing }) => sum + missing.size, 0);
      return { expected, lost, repeated };
    },
  };
}

function subscribersOf(wanted: readonly Wanted[], operationId: string): Set<number> {
  const indexes = wanted.flatMap(({ variables }, index) =>
    variables.operationId === operationId ? [index] : [],
  );
  return new Set(indexes);
}
