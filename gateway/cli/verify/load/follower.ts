import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../../../subgraphs/kernel/errors/thrown.ts';
import type { LiveClient } from '../../../client/index.ts';
import { liveClientOf } from '../../live-client.ts';
import { Difference } from '../check.ts';
import type { PartnerClient } from './client.ts';
import type { Stage } from './stage.ts';

/** A live event of a money request. */
export interface FollowedChange {
  readonly referenceId: string;
  readonly status: string;
}

interface StatusEvent {
  readonly status: string;
  readonly requestMoney: { readonly referenceId: string } | null;
}

/** Follows all money requests of the partner live. */
interface Follower {
  readonly changes: readonly FollowedChange[];
  /** Waits until there are as many changes. @throws Difference after a minute */
  waitFor(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Events after which it leaves, and resumes after the last cursor: from the log, not from live events. */
const RESUME_AFTER = 25;
const PAUSE_MS = 200;
const PATIENCE_MS = 60_000;

const FOLLOW = `subscription ($after: String!) {
  requestMoneyStatusChanged(after: $after) { cursor status requestMoney { referenceId } }
}`;

/**
 * Follows from a cursor on. It resumes after each break, so a break loses nothing.
 * @param after a cursor; events that are in the log already are sent first
 */
export function startFollower(stage: Pick<Stage, 'url' | 'key'>, after: string): Follower {
  const state: Following = {
    changes: [],
    after,
    lastBreak: '',
    ended: new AbortController(),
  };
  const following = followOn(stage, state);
  return {
    changes: state.changes,
    waitFor: async (count) => {
      const deadline = performance.now() + PATIENCE_MS;
      while (state.changes.length < count) {
        if (performance.now() > deadline) {
          const came = `Of ${count} live events ${state.changes.length} came within ${PATIENCE_MS / 1000} s`;
          throw new Difference(state.lastBreak === '' ? came : `${came}. The last break: ${state.lastBreak}`);
        }
        await delay(PAUSE_MS);
      }
    },
    stop: async () => {
      state.ended.abort();
      await following;
    },
  };
}

interface Following {
  readonly changes: FollowedChange[];
  after: string;
  /** Why the last subscription has ended. */
  lastBreak: string;
  readonly ended: AbortController;
}

async function followOn({ url, key }: Pick<Stage, 'url' | 'key'>, state: Following): Promise<void> {
  const { signal } = state.ended;
  const client = liveClientOf(url, key, { baseMs: PAUSE_MS, capMs: PAUSE_MS });
  while (!signal.aborted) {
    try {
      await take(client, state);
    } catch (error) {
      // The log has the events that it missed, and their number is checked at the end.
      state.lastBreak = messageOf(error);
      await delay(PAUSE_MS);
    }
  }
  client.close();
}

async function take(client: LiveClient, state: Following): Promise<void> {
  let taken = 0;
  const events = client.follow<{ requestMoneyStatusChanged: StatusEvent }>({
    query: FOLLOW,
    after: state.after,
    signal: state.ended.signal,
    onState: (change) => {
      state.lastBreak = change.name === 'resuming' ? change.because.message : state.lastBreak;
    },
  });
  for await (const { data, cursor, errors } of events) {
    const { status, requestMoney } = data.requestMoneyStatusChanged;
    if (!requestMoney) {
      throw new Error(`An event without its money request: ${JSON.stringify(errors)}`);
    }
    state.changes.push({ referenceId: requestMoney.referenceId, status });
    state.after = cursor;
    taken += 1;
    if (taken === RESUME_AFTER) {
      return;
    }
  }
}

/** The cursor of the current end of the log. */
export async function latestCursor(client: Pick<PartnerClient, 'call'>): Promise<string> {
  const body = { query: '{ latestEventCursor }' };
  const { text } = await client.call('dashboard', { method: 'POST', path: '/graphql', body });
  const answer: { data: { latestEventCursor: string } } = JSON.parse(text);
  return answer.data.latestEventCursor;
}
