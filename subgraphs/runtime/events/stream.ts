import type { AccountId } from '../../kernel/account.ts';
import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Logger } from '../../kernel/log/log.ts';
import type { Cursors } from './cursor.ts';
import { type FollowedLog, LogFollower } from './follower.ts';
import type { EventEntity, NumberedEvent } from './model.ts';
import { createOutage } from './outage.ts';
import { createPast } from './past.ts';
import type { EventReader } from './reader.ts';
import type { Tail } from './tail.ts';

/** An event as followers get it. */
export interface LoggedEvent {
  /** The same for everyone and for ever: consumers find duplicates by it. */
  readonly id: string;
  /** Place in the log, to go on after it: see {@link FollowOptions.after}. Opaque, of this account only. */
  readonly cursor: string;
  readonly accountId: AccountId;
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
  /** Only this account's events are ever read; it comes from the principal, never from the caller's input. */
  readonly accountId: AccountId;
  readonly entity: EventEntity;
  /** Only this entity's events; all of the kind by default. */
  readonly entityId?: string | undefined;
  /** Filters events. An error that it throws ends the iteration with that error. */
  readonly matches?: ((event: LoggedEvent) => boolean) | undefined;
  /** Cursor of the last event seen, by whatever process made it; without it, events from now on. */
  readonly after?: string | undefined;
  /** Ends the iteration. */
  readonly signal: AbortSignal;
}

export interface Streams {
  /**
   * The events of an account, in the order of the log, which is version order for each entity: without `after` all that
   * are numbered after the call, so at least those committed after it resolved; with `after` all since that cursor, then
   * those to come. No gap and no duplicate, also over restarts and when the consumer is slow: then they are read from
   * the log instead of piling up. An outage of the database makes the iteration wait, not fail. It ends by `return()`, by the
   * signal or at {@link close}.
   * @returns failure `INVALID_CURSOR` (unreadable, another account's, of another log) or `CURSOR_EXPIRED` (older than the
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
  tail: Pick<Tail, 'add' | 'remove'>;
  cursors: Cursors;
  log: Logger;
  clock(): Date;
  /** Events that may wait in memory for one slow follower before it reads the log instead. Default 1,000. */
  waitingLimit?: number | undefined;
}

const DEFAULT_WAITING_LIMIT = 1_000;

export function createStreams(deps: StreamsDeps): Streams {
  const active = new Set<LogFollower<LoggedEvent>>();
  const past = createPast({ reader: deps.reader, outage: createOutage(deps.log, 'followers') });
  const { tail, waitingLimit = DEFAULT_WAITING_LIMIT } = deps;
  const log = { past, tail, waitingLimit, present: createPresenter(deps.cursors) };
  let closed = false;
  return {
    active: () => active.size,
    close: () => {
      closed = true;
      for (const follower of active) {
        void follower.return();
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
      return succeed(startFollower(log, active, options, start.value));
    },
  };
}

async function findStart(deps: StreamsDeps, { accountId, after }: FollowOptions): Promise<Result<number>> {
  if (after === undefined) {
    return succeed(await deps.reader.head());
  }
  const position = deps.cursors.decode(accountId, after);
  if (position === undefined) {
    return fail('INVALID_CURSOR');
  }
  if (position.keptUntil <= deps.clock()) {
    return fail('CURSOR_EXPIRED');
  }
  // The cursor is past the end: it is from a log that this store does not have, for example from before a restore.
  return position.seq > (await deps.reader.newest()) ? fail('INVALID_CURSOR') : succeed(position.seq);
}

const matchesAll = () => true;

function startFollower(
  log: FollowedLog<LoggedEvent>,
  active: Set<LogFollower<LoggedEvent>>,
  { accountId, entity, entityId, matches = matchesAll, signal }: FollowOptions,
  position: number,
): LogFollower<LoggedEvent> {
  const follower = new LogFollower(log, {
    topic: { accountId, entity, entityId },
    position,
    matches,
    signal,
    onEnd: () => active.delete(follower),
  });
  active.add(follower);
  return follower;
}

/** Presents an event once for all who follow it: the tail hands them the same object. */
function createPresenter(cursors: Cursors): FollowedLog<LoggedEvent>['present'] {
  const presented = new WeakMap<NumberedEvent, LoggedEvent>();
  return (stored) => {
    const known = presented.get(stored);
    if (known !== undefined) {
      return known;
    }
    const { _id, seq, keptUntil, pending: _pending, ...event } = stored;
    const cursor = cursors.encode(stored.accountId, { seq, keptUntil });
    const logged: LoggedEvent = { ...event, id: _id.toHexString(), cursor };
    presented.set(stored, logged);
    return logged;
  };
}
