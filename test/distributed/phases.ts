import { setTimeout as sleep } from 'node:timers/promises';
import type { Fixtures } from './fixtures.ts';
import type { Fleet, Kill, Service } from './fleet.ts';
import type { FailedRequest, Load } from './load.ts';

/** The ends of connections may be noticed so much later than that of their process. */
const NOTICED_AFTER_MS = 100;
/** A call under way at the end of a phase belongs to it. */
const SETTLE_MS = 1_000;
/** From the first kill, and from the first replacement: for so long cases are waited for that have not passed. */
const KILLS_MS = 240_000;
const REPLACEMENTS_MS = 90_000;
const QUIET_MS = 15_000;

/** The work in progress while cases are run. */
export const STAGES = {
  nothing: 'nothing',
  kills: 'one process of a role was down',
  replacements: 'a role was replaced',
} as const;

/** A part of the run, and the requests that failed in it. */
export interface Phase {
  readonly name: string;
  readonly answered: number;
  readonly failed: readonly FailedRequest[];
  /** Those that were not under way at the kill, which may fail nothing else. */
  readonly unexcused: readonly FailedRequest[];
}

/** Everything that partners do, and to what. */
interface Run {
  readonly fleet: Fleet;
  readonly load: Load;
  readonly fixtures: Fixtures;
}

/** Nothing happens, to compare the rest with. */
export function quiet(run: Run): Promise<Phase> {
  return during(run, STAGES.nothing, 'nothing', async () => {
    await sleep(QUIET_MS);
    return [];
  });
}

/** One process of each role is killed, again and again until every case has passed meanwhile, or has had its time. */
export function killEach(run: Run, downMs: number): Promise<Phase[]> {
  return forEachRole(run, { stage: STAGES.kills, forMs: KILLS_MS }, (service) => ({
    name: `kill -9 of a ${service.role}`,
    work: async () => [await service.kill(downMs)],
  }));
}

/** All processes of each role are replaced, again and again until every case has passed meanwhile, or has had its time. */
export function rollEach(run: Run): Promise<Phase[]> {
  return forEachRole(run, { stage: STAGES.replacements, forMs: REPLACEMENTS_MS }, (service) => ({
    name: `rolling restart of ${service.role}`,
    work: async () => {
      await service.roll();
      return [];
    },
  }));
}

/** The fault of a role; `work` resolves with its kills. */
interface Happening {
  readonly name: string;
  work(): Promise<readonly Kill[]>;
}

async function forEachRole(
  run: Run,
  { stage, forMs }: { readonly stage: string; readonly forMs: number },
  happeningTo: (service: Service) => Happening,
): Promise<Phase[]> {
  const deadline = performance.now() + forMs;
  const phases: Phase[] = [];
  const isOver = () => run.fixtures.missing(stage).length === 0 || performance.now() > deadline;
  for (let round = 0; round === 0 || !isOver(); round += 1) {
    for (const service of run.fleet.services) {
      if (round === 0 || !isOver()) {
        const { name, work } = happeningTo(service);
        phases.push(await during(run, stage, name, work));
      }
    }
  }
  return phases;
}

async function during(
  { load, fixtures }: Run,
  stage: string,
  name: string,
  work: Happening['work'],
): Promise<Phase> {
  const sources = [load, fixtures];
  const answered = () => sources.reduce((sum, source) => sum + source.answered(), 0);
  const before = { answered: answered(), failed: sources.map(({ failed }) => failed.length) };
  fixtures.enter(stage);
  const kills = await work();
  fixtures.enter(undefined);
  await sleep(SETTLE_MS);
  const failed = sources.flatMap((source, index) => source.failed.slice(before.failed[index]));
  const isExcused = ({ from, to }: FailedRequest) =>
    kills.some(({ sentAt, seenAt }) => from <= seenAt + NOTICED_AFTER_MS && to >= sentAt);
  return {
    name,
    answered: answered() - before.answered,
    failed,
    unexcused: failed.filter((one) => !isExcused(one)),
  };
}
