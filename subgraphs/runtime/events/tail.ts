import type { Logger } from '../../kernel/log/log.ts';
import { createLoop, untilNextLook } from './loop.ts';
import type { NumberedEvent } from './model.ts';
import { createOutage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';
import type { Watcher } from './watcher.ts';

/** One who follows the live end of the log. */
export interface Follower {
  readonly topic: Topic;
  /** Called with each event of the topic, in order. It must not throw. */
  receive(event: NumberedEvent): void;
}

/** Reads the end of the log once for all followers of a process; idle while there is none. It keeps no event. */
export interface Tail {
  /**
   * @param head the result of {@link EventReader.head}: an idle tail starts there instead of where it once stopped
   * @returns the number after which the follower receives every event; earlier ones must be read from the log
   */
  add(follower: Follower, head: number): number;
  /** Has no effect when it was not added. */
  remove(follower: Follower): void;
  /** There may be newly numbered events. */
  wake(): void;
  /** Does the same for numbers from any process that a change stream reported. Has no effect when all of them have been read. */
  onNumbered(numbers: readonly number[]): void;
  /** Followers receive nothing more. */
  close(): Promise<void>;
}

interface TailDeps {
  reader: Pick<EventReader, 'after'>;
  /** Calls {@link Tail.received} when numbers are given, here or in another process. */
  watcher: Watcher;
  log: Logger;
  /** How often to look without a wake signal, in milliseconds; a quarter as often while the change stream is open. */
  pollMs: number;
}

const BATCH = 500;

/** Followers by their topics: an event meets those of its kind and of its entity, however many others there are. */
type Followers = Map<string, Set<Follower>>;

export function createTail(deps: TailDeps): Tail {
  const followers: Followers = new Map();
  let position = 0;
  const step = async (): Promise<number> => {
    if (followers.size === 0) {
      return deps.pollMs;
    }
    const from = position;
    const events = await deps.reader.after(from, BATCH);
    // A follower came to an idle tail while this was being read: it starts elsewhere, read from there.
    if (from !== position) {
      return 0;
    }
    for (const event of events) {
      position = event.seq;
      deliver(followers, event);
    }
    return events.length === BATCH ? 0 : untilNextLook(deps.pollMs, deps.watcher);
  };
  const loop = createLoop({ step, outage: createOutage(deps.log, 'tail') });
  const wake = () => {
    if (followers.size > 0) {
      loop.wake();
    }
  };
  return {
    wake,
    onNumbered: (numbers) =>
      // A step knows the numbers that this process has given itself already, and may be reading it.
      loop.afterStep(() => {
        if (!numbers.every((seq) => seq <= position)) {
          wake();
        }
      }),
    add: (follower, head) => {
      if (followers.size === 0 && head > position) {
        position = head;
      }
      deps.watcher.start();
      loop.start();
      loop.wake();
      add(followers, follower);
      return position;
    },
    remove: (follower) => remove(followers, follower),
    close: async () => {
      followers.clear();
      await Promise.all([loop.stop(), deps.watcher.stop()]);
    },
  };
}

function deliver(followers: Followers, event: NumberedEvent): void {
  const { accountId, entity } = event;
  for (const topic of [{ accountId, entity }, event]) {
    for (const follower of followers.get(keyOf(topic)) ?? []) {
      follower.receive(event);
    }
  }
}

function add(followers: Followers, follower: Follower): void {
  const key = keyOf(follower.topic);
  const ofTopic = followers.get(key) ?? new Set();
  followers.set(key, ofTopic.add(follower));
}

function remove(followers: Followers, follower: Follower): void {
  const key = keyOf(follower.topic);
  const ofTopic = followers.get(key);
  ofTopic?.delete(follower);
  if (ofTopic?.size === 0) {
    followers.delete(key);
  }
}

function keyOf({ accountId, entity, entityId }: Topic): string {
  return JSON.stringify([accountId, entity, entityId]);
}
