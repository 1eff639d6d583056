import { createLoop, NO_POLL_MS } from './loop.ts';
import type { NumberedEvent } from './model.ts';
import type { Outage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';

/** The live end of the log for one follower. While nothing comes it costs nothing but its place among the feeds. */
export interface Feed {
  /** The feed has every event of its topic after this number. Earlier events must be read from the log. */
  readonly from: number;
  /**
   * The events since the last call, in order; none when nothing has come.
   * @returns `lagged` when the follower did not keep up: the feed is over, what came was let go, read the log again;
   *   `closed` after {@link close}
   */
  take(): readonly NumberedEvent[] | 'lagged' | 'closed';
  close(): void;
}

/** Reads the end of a partition once for all its followers in a process; idle while there is none. */
export interface Tail {
  /**
   * @param head the result of {@link EventReader.head}: an idle tail starts there instead of where it once stopped
   * @param notify called when there is something to take, at least once for all that has come since the last call of
   *   `take`; it must not throw
   */
  open(topic: Topic, head: number, notify: () => void): Feed;
  /** Whether it has followers. */
  isOpen(): boolean;
  /**
   * The partition is numbered up to there: reads what is missing. A step knows the numbers that this process has given itself
   * already, and may be reading them: so it has no effect when all of them have been read.
   */
  onNumbered(seq: number): void;
  close(): Promise<void>;
}

interface TailDeps {
  reader: Pick<EventReader, 'after'>;
  partition: number;
  outage: Outage;
  /** Events that may wait in one feed before it counts as lagging. Default 1,000. */
  queueLimit?: number | undefined;
}

const BATCH = 500;
const DEFAULT_QUEUE_LIMIT = 1_000;

type OpenFeed = Feed & { readonly topic: Topic; push(event: NumberedEvent): void };
/** Feeds by their topics: an event meets those of its kind and of its entity, however many others there are. */
type Feeds = Map<string, Set<OpenFeed>>;

export function createTail(deps: TailDeps): Tail {
  const feeds: Feeds = new Map();
  let position = 0;
  const step = async (): Promise<number> => {
    if (feeds.size === 0) {
      return NO_POLL_MS;
    }
    const from = position;
    const events = await deps.reader.after({ partition: deps.partition, seq: from }, BATCH);
    // A feed opened on an idle tail while this was being read: it starts elsewhere, read from there.
    if (from !== position) {
      return 0;
    }
    for (const event of events) {
      position = event.seq;
      deliver(feeds, event);
    }
    return events.length === BATCH ? 0 : NO_POLL_MS;
  };
  const loop = createLoop({ step, outage: deps.outage });
  return {
    isOpen: () => feeds.size > 0,
    onNumbered: (seq) =>
      loop.afterStep(() => {
        if (feeds.size > 0 && seq > position) {
          loop.wake();
        }
      }),
    open: (topic, head, notify) => {
      if (feeds.size === 0 && head > position) {
        position = head;
      }
      loop.start();
      loop.wake();
      return openFeed(feeds, {
        topic,
        from: position,
        limit: deps.queueLimit ?? DEFAULT_QUEUE_LIMIT,
        notify,
      });
    },
    close: async () => {
      for (const feed of [...feeds.values()].flatMap((ofTopic) => [...ofTopic])) {
        feed.close();
      }
      await loop.stop();
    },
  };
}

function deliver(feeds: Feeds, event: NumberedEvent): void {
  const { accountId, entity } = event;
  for (const topic of [{ accountId, entity }, event]) {
    for (const feed of feeds.get(keyOf(topic)) ?? []) {
      feed.push(event);
    }
  }
}

interface Opening {
  readonly topic: Topic;
  readonly from: number;
  readonly limit: number;
  notify(): void;
}

const NONE: readonly NumberedEvent[] = [];

function openFeed(feeds: Feeds, { topic, from, limit, notify }: Opening): Feed {
  let queue: NumberedEvent[] | undefined;
  let ended: 'lagged' | 'closed' | undefined;
  const end = (how: 'lagged' | 'closed') => {
    if (ended === undefined) {
      ended = how;
      queue = undefined;
      remove(feeds, feed);
      notify();
    }
  };
  const feed: OpenFeed = {
    topic,
    from,
    push: (event) => {
      queue ??= [];
      if (queue.length >= limit) {
        end('lagged');
        return;
      }
      queue.push(event);
      notify();
    },
    take: () => {
      const taken = ended ?? queue ?? NONE;
      queue = undefined;
      return taken;
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

function keyOf({ accountId, entity, entityId }: Topic): string {
  return JSON.stringify([accountId, entity, entityId]);
}
