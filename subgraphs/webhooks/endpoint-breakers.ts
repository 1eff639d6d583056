import type { UpdateQuery } from 'mongoose';
import { TOO_FAR_MS } from '../kernel/clock/database-clock.ts';
import { LONGEST_PAUSE_MS, mustOpen, probePauseMs } from './breaker.ts';
import {
  type Breaker,
  type EndpointStateDocument,
  type EndpointStateModel,
  type Hold,
  minuteOf,
} from './endpoint-state.ts';

/** Changes of breakers, each by compare and set: when several processes want the same change, one makes it. */
export interface EndpointBreakers {
  /** Opens the breakers of those endpoints that fail too often. @returns whether any was opened */
  openFailing(states: readonly EndpointStateDocument[]): Promise<boolean>;
  /** Takes the due probe. @returns until when it may last; undefined when it is not due, or another process was faster */
  takeProbe(endpoint: string): Promise<Date | undefined>;
  /** Records a failed probe: the next one comes after a longer pause. */
  reopen(endpoint: string): Promise<void>;
  /** Records a delivered attempt. */
  close(endpoint: string): Promise<void>;
}

interface EndpointBreakersDeps {
  states: EndpointStateModel;
  clock: () => Date;
  /** Otherwise no breaker opens. Open breakers still close at the first success. */
  mayOpen: boolean;
  /** The first delay of the retry schedule. */
  firstRetrySeconds: number;
  /** How long a probe may last before another one may be made, milliseconds. */
  probeMs: number;
}

const BREAKER: Hold = 'BREAKER';
const PAUSED: Hold = 'PAUSED';

/** Whether a probe is due: its time has come, or lies further ahead than a pause, because a clock was ahead. */
export function isProbeDue(probeAt: Date, now: Date): boolean {
  return probeAt <= now || probeAt > lastPause(now);
}

function dueProbes(now: Date) {
  return [{ 'breaker.probeAt': { $lte: now } }, { 'breaker.probeAt': { $gt: lastPause(now) } }];
}

function lastPause(now: Date): Date {
  return new Date(now.getTime() + LONGEST_PAUSE_MS + TOO_FAR_MS);
}

export function createEndpointBreakers(deps: EndpointBreakersDeps): EndpointBreakers {
  const { states, clock, mayOpen, firstRetrySeconds, probeMs } = deps;
  const inMs = (ms: number) => new Date(clock().getTime() + ms);
  const move = async (endpoint: string, from: object, update: UpdateQuery<EndpointStateDocument>) =>
    (await states.updateOne({ _id: endpoint, ...from }, update)).modifiedCount > 0;
  return {
    openFailing: async (failing) => {
      const opened = failing
        .filter((state) => mayOpen && state.breaker.state === 'CLOSED' && mustOpen(state, clock()))
        .map(({ _id }) =>
          move(
            _id,
            { 'breaker.state': 'CLOSED' },
            {
              $set: {
                breaker: {
                  state: 'OPEN',
                  since: clock(),
                  probeAt: inMs(probePauseMs(0, firstRetrySeconds)),
                  failedProbes: 0,
                },
              },
              $addToSet: { holds: BREAKER },
            },
          ),
        );
      return (await Promise.all(opened)).includes(true);
    },
    takeProbe: async (endpoint) => {
      const until = inMs(probeMs);
      // A probe of a dead process also ends at that time.
      const isDue = { holds: { $in: [BREAKER], $nin: [PAUSED] }, $or: dueProbes(clock()) };
      const update = { $set: { 'breaker.state': 'HALF_OPEN', 'breaker.probeAt': until } };
      return (await move(endpoint, isDue, update)) ? until : undefined;
    },
    reopen: async (endpoint) => {
      const state = await states.findById(endpoint, { breaker: 1 }).lean();
      if (state?.breaker.state === 'HALF_OPEN') {
        const { since, probeAt, failedProbes } = state.breaker;
        const next = failedProbes + 1;
        const breaker: Breaker = {
          state: 'OPEN',
          since,
          probeAt: inMs(probePauseMs(next, firstRetrySeconds)),
          failedProbes: next,
        };
        await move(
          endpoint,
          { 'breaker.state': 'HALF_OPEN', 'breaker.probeAt': probeAt },
          { $set: { breaker } },
        );
      }
    },
    close: async (endpoint) => {
      const now = clock();
      const breaker: Breaker = { state: 'CLOSED', since: now, failedProbes: 0, countFrom: minuteOf(now) + 1 };
      await move(endpoint, { holds: BREAKER }, { $set: { breaker }, $pull: { holds: BREAKER } });
    },
  };
}
