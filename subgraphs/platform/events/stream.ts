import { addAbortListener } from 'node:events';
import { fail, type Result, succeed } from '../errors/result.ts';
import type { Logger } from '../log/log.ts';
import type { Cursors } from './cursor.ts';
import { endable } from './iterator.ts';
import { backoff, pause } from './loop.ts';
import type { EventEntity, NumberedEvent } from './model.ts';
import { createOutage, type Outage } from './outage.ts';
import type { EventReader, Topic } from './reader.ts';
import type { Feed, Tail } from './tail.ts';

/** An event as followers get it. */
export interface LoggedEvent {
  /** Same for everyone and for ever: what a consumer may tell duplicates by. */
  readonly id: string;
  /** Place in the log, to go on after it: see {@link FollowOptions.after}. Opaque, of this tenant only. */
  readonly cursor: string;
  readonly tenantId: string;
  readonly entity: EventEntity;
  readonly entityId: string;
  readonly version: number;
  readonly type: string;
  /** null for the creation. */
  readonly previousStatus: string | null;
  readonly status: string;
  readonly statusDetails?: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly occurredAt: Date;
}

export interface FollowOptions {
  /** Only this tenant's events are ever read; it comes from the principal, never from the caller's input. */
  readonly tenantId: string;
  readonly entity: EventEntity;
  /** Only this entity's events; all of the kind by default. */
  readonly entityId?: string | undefined;
  /** Leaves events out. An error that it throws ends the iteration with it. */
  readonly matches?: ((event: LoggedEvent) => boolean) | undefined;
  /** Cursor of the last event seen, by whatever process made it; without it, events from now on. */
  readonly after?: string | undefined;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

export interface Streams {
  /**
   * The events of a tenant, in the order of the log, which is version order for each entity: without `after` all that
   * are numbered after the call, so at least those committed after it resolved; with `after` all since that cursor, then
   * those to come. No gap and no duplicate, also over restarts and when the consumer is slow: then they are read from
   * the log instead of piling up. An outage of the database makes the iteration wait, not fail. It ends by `return()`, by the
   * signal or at {@link close}.
   * @returns failure `INVALID_CURSOR` (unreadable, another tenant's, of another log) or `CURSOR_EXPIRED` (older than the
   *   log that is kept)
   * @throws when the database cannot be reached, or after {@link close}
   */
  follow(options: FollowOptions): Promise<Result<AsyncIterableIterator<LoggedEvent>>>;
  /** How many iterations have not ended. */
  active(): number;
  /** Ends all of them. */
  close(): void;
}

interface StreamsDeps {
  reader: Pick<EventReader, 'head' | 'newest' | 'between'>;
  tail: Pick<Tail, 'open'>;
  cursors: Cursors;
  log: Logger;
  clock(): Date;
}

/** What one iteration goes by; `position` is the number up to which it has everything. */
type Follower = {
  readonly topic: Topic;
  readonly matches: (event: LoggedEvent) => boolean;
  readonly signal: AbortSignal;
  position: number;
};
type Present = (event: NumberedEvent) => LoggedEvent;
type Work = Pick<StreamsDeps, 'reader' | 'tail'> & { present: Present; outage: Outage };

const PAGE = 200;
const FIRST_SPAN = 1_000;

export function createStreams(deps: StreamsDeps): Streams {
  const active = new Set<AbortController>();
  const work: Work = {
    reader: deps.reader,
    tail: deps.tail,
    present: createPresenter(deps.cursors),
    outage: createOutage(deps.log, 'followers'),
  };
  let closed = false;
  return {
    active: () => active.size,
    close: () => {
      closed = true;
      for (const ending of active) {
        ending.abort();
      }
    },
    follow: async (options) => {
      const start = await findStart(deps, options);
      if (!start.ok) {
        return start;
      }
      if (closed) {
        throw new Error('The event log is closed');
      }
      return succeed(iterate(work, active, options, start.value));
    },
  };
}

async function findStart(deps: StreamsDeps, { tenantId, after }: FollowOptions): Promise<Result<number>> {
  if (after === undefined) {
    return succeed(await deps.reader.head());
  }
  const position = deps.cursors.decode(tenantId, after);
  if (position === undefined) {
    return fail('INVALID_CURSOR');
  }
  if (position.keptUntil <= deps.clock()) {
    return fail('CURSOR_EXPIRED');
  }
  // Past the end: of a log that this store does not have, for example from before it was restored.
  return position.seq > (await deps.reader.newest()) ? fail('INVALID_CURSOR') : succeed(position.seq);
}

function iterate(
  work: Work,
  active: Set<AbortController>,
  { tenantId, entity, entityId, matches = () => true, signal }: FollowOptions,
  position: number,
): AsyncIterableIterator<LoggedEvent> {
  const ending = new AbortController();
  const listening = addAbortListener(signal, () => ending.abort());
  active.add(ending);
  const follower = { topic: { tenantId, entity, entityId }, matches, signal: ending.signal, position };
  return endable(run(work, follower), ending, () => {
    listening[Symbol.dispose]();
    active.delete(ending);
  });
}

/** Opens the live feed first and then reads the log up to where the feed begins, so that nothing falls between. */
async function* run(work: Work, follower: Follower): AsyncGenerator<LoggedEvent, void, void> {
  while (!follower.signal.aborted) {
    const head = await persist(work, follower.signal, () => work.reader.head());
    if (head === undefined) {
      return;
    }
    const feed = work.tail.open(follower.topic, head);
    const listening = addAbortListener(follower.signal, () => feed.close());
    try {
      yield* catchUp(work, follower, feed.from);
      yield* live(work, follower, feed);
    } finally {
      listening[Symbol.dispose]();
      feed.close();
    }
  }
}

/**
 * Reads the log up to a number. In spans of numbers: SecantusDB takes time in proportion to all that a query
 * matches, not to what it returns. A span grows while little is found in it and shrinks when it overflows a page.
 */
async function* catchUp(
  { reader, present, ...work }: Work,
  follower: Follower,
  head: number,
): AsyncGenerator<LoggedEvent, void, void> {
  const { topic, signal } = follower;
  let span = topic.entityId === undefined ? FIRST_SPAN : Number.MAX_SAFE_INTEGER;
  while (follower.position < head) {
    const from = follower.position;
    const to = Math.min(from + span, head);
    const page = await persist(work, signal, () => reader.between(topic, from, to, PAGE));
    if (page === undefined) {
      return;
    }
    yield* pass(present, follower, page);
    if (page.length < PAGE) {
      follower.position = to;
      span *= page.length < PAGE / 2 ? 2 : 1;
    } else {
      span = Math.max(PAGE, span / 2);
    }
  }
}

async function* live(
  { present }: Work,
  follower: Follower,
  feed: Feed,
): AsyncGenerator<LoggedEvent, void, void> {
  while (true) {
    const taken = await feed.take();
    if (taken === 'lagged' || taken === 'closed') {
      return;
    }
    yield* pass(present, follower, taken);
  }
}

function* pass(present: Present, follower: Follower, events: readonly NumberedEvent[]) {
  for (const stored of events) {
    // The tail of this process may be behind what the follower has read, or was given by another process.
    if (stored.seq <= follower.position) {
      continue;
    }
    follower.position = stored.seq;
    const event = present(stored);
    if (follower.matches(event)) {
      yield event;
    }
  }
}

/** Reads until the database answers; undefined when the iteration ended before. */
async function persist<T>(
  { outage }: Pick<Work, 'outage'>,
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T | undefined> {
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const value = await read();
      outage.over();
      return value;
    } catch (error) {
      if (!signal.aborted) {
        outage.noticed(error);
      }
      await pause(backoff(failures), signal);
    }
  }
  return undefined;
}

/** Presents an event once for all who follow it: the tail hands them the same object. */
function createPresenter(cursors: Cursors): Present {
  const presented = new WeakMap<NumberedEvent, LoggedEvent>();
  return (stored) => {
    const known = presented.get(stored);
    if (known !== undefined) {
      return known;
    }
    const { _id, seq, keptUntil, pending: _pending, ...event } = stored;
    const cursor = cursors.encode(stored.tenantId, { seq, keptUntil });
    const logged: LoggedEvent = { ...event, id: _id.toHexString(), cursor };
    presented.set(stored, logged);
    return logged;
  };
}
