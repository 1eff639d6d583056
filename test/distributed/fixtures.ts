import { setTimeout as sleep } from 'node:timers/promises';
import { createFill } from '../contract/fill.ts';
import type { Case } from '../contract/fixture.ts';
import { runCase, type Target } from '../contract/run-case.ts';
import type { Exchange } from '../support/http.ts';
import { inCopy, isForOneRun } from './copies.ts';
import type { FailedRequest } from './load.ts';

/** How many cases are under way at once. */
const LANES = 12;
const REST_MS = 10;
/** Cases that hold with one process of a role only, or with other settings, by `file: title`; why. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'partner/account: a regenerated secret: 32 characters behind its prefix, shown this once; a failure changes nothing':
    'other processes of the role show a new secret within 2 s, not at once',
};

/** One run of a case. */
export interface Run {
  /** Its case: `file: title`. */
  readonly name: string;
  readonly stage: string | undefined;
  /** The references that it has for itself. */
  readonly references: readonly string[];
  /** `repeated`: a request of it was not answered, or its key had reached a limit, so the case was run again. */
  readonly outcome: 'passed' | 'repeated' | 'failed';
}

/** The contract's cases as they are run, again and again, until they are stopped. */
export interface Fixtures {
  readonly failed: readonly FailedRequest[];
  /** Answers and webhooks that are not as the fixture says. */
  readonly wrong: readonly string[];
  readonly runs: readonly Run[];
  /** Requests that were answered. */
  answered(): number;
  /** From now on cases count for this stage when they begin in it: those that have not passed in it come first. */
  enter(stage: string | undefined): void;
  /** Cases that have not passed in a stage yet. */
  missing(stage: string): readonly string[];
  stop(): Promise<void>;
}

/** The name of a case in {@link LEFT_OUT} and {@link Run}. */
export function nameOf({ file, title }: Case): string {
  return `${file}: ${title}`;
}

/** A request and how it ended, by `performance.now()`; without a status it had no answer. */
interface Sent {
  readonly from: number;
  readonly to: number;
  readonly status?: number;
  /** The seconds of `Retry-After`, or 0. */
  readonly retryAfter: number;
  readonly why: string;
}

/** Keeps what was sent. */
function recording(exchange: Exchange, sent: Sent[]): Exchange {
  return async (request) => {
    const from = performance.now();
    try {
      const answer = await exchange(request);
      sent.push({
        from,
        to: performance.now(),
        status: answer.status,
        retryAfter: Number(answer.headers['retry-after'] ?? 0),
        why: `${answer.status} ${answer.text}`,
      });
      return answer;
    } catch (error) {
      sent.push({ from, to: performance.now(), retryAfter: 0, why: String(error) });
      throw error;
    }
  };
}

/** Whether a request ended as those do that were under way on a process that was killed. */
function isBrokenOff(last: Sent | undefined): last is Sent {
  return last !== undefined && (last.status === undefined || last.status >= 500);
}

/** Whether a case calls the pre-quote, of which a key has 30 a minute (document 3, "Limits"): each stage runs it once. */
function isLimited({ steps }: Case): boolean {
  return steps.some(({ request }) => request.path.includes('/pre-quote-lite'));
}

/** Starts to run cases, {@link LANES} at once. */
export function startFixtures(target: Target, cases: readonly Case[]): Fixtures {
  const failed: FailedRequest[] = [];
  const wrong: string[] = [];
  const runs: Run[] = [];
  const times = new Map<string, number>();
  const waiting = new Map<string, Case[]>();
  const shared = cases.filter((one) => !(isForOneRun(one) || isLimited(one)));
  let stage: string | undefined;
  let turn = 0;
  let answered = 0;
  let stopped = false;

  const next = (): Case | undefined => {
    turn += 1;
    return (stage === undefined ? undefined : waiting.get(stage)?.shift()) ?? shared[turn % shared.length];
  };
  const run = async (one: Case) => {
    const name = nameOf(one);
    const nth = (times.get(name) ?? 0) + 1;
    times.set(name, nth);
    const fill = createFill();
    const sent: Sent[] = [];
    const record = (outcome: Run['outcome'], began: string | undefined) =>
      runs.push({ name, stage: began, references: ['{ref}', '{ref2}', '{ref3}'].map(fill), outcome });
    const began = stage;
    try {
      await runCase({ ...target, exchange: recording(target.exchange, sent) }, inCopy(nth, one), fill);
      record('passed', began);
    } catch (error) {
      const last = sent.at(-1);
      if (last?.status === 429) {
        // Other runs of the case used up what its key may call in a minute.
        record('repeated', began);
        await sleep(last.retryAfter * 1_000);
        waiting.get(String(began))?.unshift(one);
      } else if (isBrokenOff(last)) {
        record('repeated', began);
        failed.push({ what: name, from: last.from, to: last.to, why: last.why });
        waiting.get(String(began))?.unshift(one);
      } else {
        record('failed', began);
        wrong.push(`${name}: ${(error as Error).message}`);
      }
    }
    answered += sent.filter((request) => !isBrokenOff(request)).length;
  };
  const lanes = Array.from({ length: LANES }, async () => {
    while (!stopped) {
      const one = next();
      await (one && run(one));
      await sleep(REST_MS);
    }
  });
  return {
    failed,
    wrong,
    runs,
    answered: () => answered,
    enter: (entered) => {
      stage = entered;
      if (stage !== undefined && !waiting.has(stage)) {
        waiting.set(stage, [...cases]);
      }
    },
    missing: (of) => {
      const passed = new Set(
        runs.filter((one) => one.stage === of && one.outcome === 'passed').map(({ name }) => name),
      );
      return cases.map(nameOf).filter((name) => !passed.has(name));
    },
    stop: async () => {
      stopped = true;
      await Promise.all(lanes);
    },
  };
}
