import { setTimeout as delay } from 'node:timers/promises';
import { fitLine, type Point } from './trend.ts';

/** A request under way. */
export interface Started {
  /** When the caller has its answer. */
  readonly accepted: Promise<void>;
  /** When all that follows from it is done. */
  readonly done: Promise<void>;
}

/** The outcome of requests that were sent on schedule, also after slow ones. */
export interface Offered {
  readonly rate: number;
  /** For how long requests were sent: less than asked for when it was given up. */
  readonly seconds: number;
  /** Milliseconds of each: from when it was due to its answer, from there to its end, and both. */
  readonly toAccepted: readonly number[];
  readonly toDone: readonly number[];
  readonly whole: readonly number[];
  /** Requests due and not done, when the last one had been sent. */
  readonly backlog: number;
  /** By how much the backlog has grown a second, behind the first third of the time. */
  readonly growth: number;
}

const SAMPLE_MS = 200;
const DRAIN_MS = 120_000;
/** A side this far behind, in seconds of requests or in all, is offered no more: a store may never get over thousands. */
const MOST_BEHIND = { seconds: 15, requests: 400 };
/** A backlog that grows by this part of the rate, and this much a second, is growing; less is noise. */
const GROWING = { part: 0.05, perSecond: 0.5 };

/** Sends requests in an open loop, and waits until all are done. @throws when one fails, or is not done long after the last */
export async function offer(start: () => Started, rate: number, seconds: number): Promise<Offered> {
  const times: { toAccepted: number; toDone: number }[] = [];
  const samples: Point[] = [];
  const running: Promise<void>[] = [];
  const begin = performance.now();
  const backlog = () => running.length - times.length;
  const sampler = setInterval(() => {
    samples.push({ at: (performance.now() - begin) / 1000, value: backlog() });
  }, SAMPLE_MS);
  try {
    const mostBehind = Math.min(rate * MOST_BEHIND.seconds, MOST_BEHIND.requests);
    for (let index = 0; index < rate * seconds && backlog() < mostBehind; index += 1) {
      const due = begin + (index * 1000) / rate;
      await delay(Math.max(due - performance.now(), 0));
      running.push(follow(start(), due).then((one) => void times.push(one)));
      running.at(-1)?.catch(() => undefined);
    }
  } finally {
    clearInterval(sampler);
  }
  const [sentFor, left] = [(performance.now() - begin) / 1000, backlog()];
  await drained(running);
  return {
    rate,
    seconds: sentFor,
    toAccepted: times.map(({ toAccepted }) => toAccepted),
    toDone: times.map(({ toDone }) => toDone),
    whole: times.map(({ toAccepted, toDone }) => toAccepted + toDone),
    backlog: left,
    growth: fitLine(samples.filter(({ at }) => at > sentFor / 3)).slope,
  };
}

/** Whether a side was too far behind to be offered all of it. */
export function isGivenUp({ whole, rate }: Offered, seconds: number): boolean {
  return whole.length < Math.floor(rate * seconds);
}

/** Whether the rate could go on for ever. */
export function isSustained({ growth, rate }: Pick<Offered, 'growth' | 'rate'>): boolean {
  return growth < Math.max(rate * GROWING.part, GROWING.perSecond);
}

async function follow({ accepted, done }: Started, due: number) {
  await accepted;
  const acceptedAt = performance.now();
  await done;
  return { toAccepted: acceptedAt - due, toDone: performance.now() - acceptedAt };
}

async function drained(running: readonly Promise<void>[]): Promise<void> {
  const over = new AbortController();
  const tooLate = delay(DRAIN_MS, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`Requests were not done ${DRAIN_MS / 1000} s after the last was sent`)),
    () => undefined,
  );
  try {
    await Promise.race([Promise.all(running), tooLate]);
  } finally {
    over.abort();
  }
}

/** The search for the highest rate that is sustained: doubled until it is not, then the gap halved a few times. */
interface RateSearch {
  /** The rate to try next; undefined when the search is over. */
  readonly next: number | undefined;
  /** The highest rate that was sustained so far; 0 when none was. */
  readonly sustained: number;
  tried(rate: number, wasSustained: boolean): void;
}

const HALVINGS = 3;
const LOWEST = 1;

/** @param first the rate to try first, requests a second */
export function createRateSearch(first: number): RateSearch {
  let good = 0;
  let bad = Number.POSITIVE_INFINITY;
  let halvings = 0;
  let next: number | undefined = first;
  return {
    get next() {
      return next;
    },
    get sustained() {
      return good;
    },
    tried: (rate, wasSustained) => {
      [good, bad] = wasSustained ? [rate, bad] : [good, rate];
      if (bad === Number.POSITIVE_INFINITY) {
        next = rate * 2;
      } else if (good === 0) {
        next = rate > LOWEST ? rate / 2 : undefined;
      } else {
        halvings += 1;
        next = halvings <= HALVINGS ? Math.sqrt(good * bad) : undefined;
      }
    },
  };
}
