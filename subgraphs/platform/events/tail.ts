import type { Logger } from '../log/log.ts';
import { createLoop, untilNextLook } from './loop.ts';
import type { NumberedEvent } from './model.ts';
import { createOutage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';
import type { Watcher } from './watcher.ts';

/** The live end of the log for one follower. */
export interface Feed {
  /** The feed has every event of its topic after this number. What is before it must be read from the log. */
  readonly from: number;
  /**
   * The events since the last call, in order; waits for one.
   * @returns `lagged` when the follower did not keep up: the feed is over, what came was let go, read the log again;
   *   `closed` after {@link close}
   */
  take(): Promise<readonly NumberedEvent[] | 'lagged' | 'closed'>;
  close(): void;
}

/** Reads the end of the log once for all followers of a process; idle while there is none. */
export interface Tail {
  /** @param head what {@link EventReader.head} said: an idle tail starts there instead of where it once stopped */
  open(topic: Topic, head: number): Feed;
  /** There may be newly numbered events. */
  wake(): void;
  /** The same of numbers that have been heard of, whoever gave them: nothing is done when all of them have been read. */
  heard(numbers: readonly number[]): void;
  close(): Promise<void>;
}

interface TailDeps {
  reader: Pick<EventReader, 'after'>;
  /** Calls {@link Tail.heard} when numbers are given, here or in another process. */
  watcher: Watcher;
  log: Logger;
  /** How often to look without a wake signal, in milliseconds; a quarter as often while the change stream is open. */
  pollMs: number;
  /** Events that may wait in one feed before it counts as lagging. Default 1,000. */
  queueLimit?: number | undefined;
}

const BATCH = 500;
const DEFAULT_QUEUE_LIMIT = 1_000;

type OpenFeed = Feed & { readonly topic: Topic; push(event: NumberedEvent): void };
/** Feeds by tenant and entity. */
type Feeds = Map<string, Set<OpenFeed>>;

export function createTail(deps: TailDeps): Tail {
  const feeds: Feeds = new Map();
  let position = 0;
  const step = async (): Promise<number> => {
    if (feeds.size === 0) {
      return deps.pollMs;
    }
    const from = position;
    const events = await deps.reader.after(from, BATCH);
    // A feed opened on an idle tail while this was being read: it starts elsewhere, read from there.
    if (from !== position) {
      return 0;
    }
    for (const event of events) {
      position = event.seq;
      deliver(feeds, event);
    }
    return events.length === BATCH ? 0 : untilNextLook(deps.pollMs, deps.watcher);
  };
  const loop = createLoop({ step, outage: createOutage(deps.log, 'tail') });
  const wake = () => {
    if (feeds.size > 0) {
      loop.wake();
    }
  };
  return {
    wake,
    heard: (numbers) =>
      // A step has been told of what this process has numbered itself already, and may be reading it.
      loop.afterStep(() => {
        if (!numbers.every((seq) => seq <= position)) {
          wake();
        }
      }),
    open: (topic, head) => {
      if (feeds.size === 0 && head > position) {
        position = head;
      }
      deps.watcher.start();
      loop.start();
      loop.wake();
      return openFeed(feeds, topic, position, deps.queueLimit ?? DEFAULT_QUEUE_LIMIT);
    },
    close: async () => {
      for (const feed of [...feeds.values()].flatMap((ofTopic) => [...ofTopic])) {
        feed.close();
      }
      await Promise.all([loop.stop(), deps.watcher.stop()]);
    },
  };
}

function deliver(feeds: Feeds, event: NumberedEvent): void {
  for (const feed of feeds.get(keyOf(event)) ?? []) {
    if (feed.topic.entityId === undefined || feed.topic.entityId === event.entityId) {
      feed.push(event);
    }
  }
}

function openFeed(feeds: Feeds, topic: Topic, from: number, limit: number): Feed {
  let queue: NumberedEvent[] = [];
  let ended: 'lagged' | 'closed' | undefined;
  let notify: (() => void) | undefined;
  const end = (how: 'lagged' | 'closed') => {
    ended ??= how;
    queue = [];
    remove(feeds, feed);
    notify?.();
  };
  const feed: OpenFeed = {
    topic,
    from,
    push: (event) => {
      if (queue.length >= limit) {
        end('lagged');
        return;
      }
      queue.push(event);
      notify?.();
    },
    take: async () => {
      if (queue.length === 0 && ended === undefined) {
        await new Promise<void>((resolve) => {
          notify = resolve;
        });
        notify = undefined;
      }
      const taken = queue;
      queue = [];
      return ended ?? taken;
    },
    close: () => end('closed'),
  };
  add(feeds, feed);
  return feed;
}

function add(feeds: Feeds, feed: OpenFeed): void {
  const key = keyOf(feed.topic);
  const ofTopic = feeds.get(key) ?? new Set();
  feeds.set(key, ofTopic.add(feed));
}

function remove(feeds: Feeds, feed: OpenFeed): void {
  const key = keyOf(feed.topic);
  const ofTopic = feeds.get(key);
  ofTopic?.delete(feed);
  if (ofTopic?.size === 0) {
    feeds.delete(key);
  }
}

function keyOf({ tenantId, entity }: Topic): string {
  return JSON.stringify([tenantId, entity]);
}
