import { createLoop, NO_POLL_MS } from './loop.ts';
import type { NumberedEvent } from './model.ts';
import type { Outage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';

/** Follows the live end of a partition. */
export interface Follower {
  readonly topic: Topic;
  /** Called with each event of the topic, in order. It must not throw. */
  receive(event: NumberedEvent): void;
}

/** Reads the end of a partition once for all its followers in a process; idle while there is none. It keeps no event. */
export interface Tail {
  /**
   * @param head the result of {@link EventReader.head}: an idle tail starts there instead of where it once stopped
   * @returns the number after which the follower receives every event; earlier ones must be read from the log
   */
  add(follower: Follower, head: number): number;
  /** Has no effect when it was not added. */
  remove(follower: Follower): void;
  /** Whether it has followers. */
  isOpen(): boolean;
  /**
   * The partition is numbered up to there: reads what is missing. A step knows the numbers that this process has given itself
   * already, and may be reading them: so it has no effect when all of them have been read.
   */
  onNumbered(seq: number): void;
  /** Followers receive nothing more. */
  close(): Promise<void>;
}

interface TailDeps {
  reader: Pick<EventReader, 'after'>;
  partition: number;
  outage: Outage;
}

const BATCH = 500;

/** Followers by their topics: an event meets those of its kind and of its entity, however many others there are. */
type Followers = Map<string, Set<Follower>>;

export function createTail(deps: TailDeps): Tail {
  const followers: Followers = new Map();
  let position = 0;
  const step = async (): Promise<number> => {
    if (followers.size === 0) {
      return NO_POLL_MS;
    }
    const from = position;
    const events = await deps.reader.after({ partition: deps.partition, seq: from }, BATCH);
    // A follower came to an idle tail while this was being read: it starts elsewhere, read from there.
    if (from !== position) {
      return 0;
    }
    for (const event of events) {
      position = event.seq;
      deliver(followers, event);
    }
    return events.length === BATCH ? 0 : NO_POLL_MS;
  };
  const loop = createLoop({ step, outage: deps.outage });
  return {
    isOpen: () => followers.size > 0,
    onNumbered: (seq) =>
      loop.afterStep(() => {
        if (followers.size > 0 && seq > position) {
          loop.wake();
        }
      }),
    add: (follower, head) => {
      if (followers.size === 0 && head > position) {
        position = head;
      }
      loop.start();
      loop.wake();
      add(followers, follower);
      return position;
    },
    remove: (follower) => remove(followers, follower),
    close: async () => {
      followers.clear();
      await loop.stop();
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
