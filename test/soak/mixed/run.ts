import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createPaths, type Path } from '../../bench/mixed/paths.ts';
import { type MixedScene, openMixed } from '../../bench/mixed/scene.ts';
import { isGivenUp, offer } from '../../bench/offered-load.ts';
import type { Stand } from '../../bench/stand.ts';
import { judgeTrend, type Point, type Trend } from '../../bench/trend.ts';
import { type Entry, isWrong, readLedger } from './ledger.ts';

interface MixedSoakOptions {
  readonly stand: Stand;
  readonly seconds: number;
  /** Between two samples. */
  readonly everySeconds: number;
  readonly subscribers: number;
  /** The part of each path's modest rate that is offered, from 0 to 1. */
  readonly rates: number;
  /** How long webhooks and events may be behind at the end. */
  readonly patienceMs: number;
  progress(line: string): void;
}

/** The course of one of the server's figures. */
export interface Course {
  readonly name: string;
  readonly points: readonly Point[];
  /** Those behind the first ones, in which caches fill. */
  readonly judged: readonly Point[];
  readonly trend: Trend;
}

/** The findings of a soak. */
export interface MixedSoakReport {
  readonly courses: readonly Course[];
  readonly ledger: readonly Entry[];
  /** Paths that were too far behind to be offered all, by name. */
  readonly behind: readonly string[];
  /** The losses and repeats, the paths that were behind, and the figures that rise, one line each; empty when all holds. */
  readonly problems: readonly string[];
}

/** Of a run: so much of it, and at most this long, is for caches to fill. */
const FILLING = { part: 1 / 6, mostSeconds: 600 };
/** A rise by less than this from there to the end, MiB or of things, is not worth a name. */
const LEAST = 2;

/** Has a server do all kinds of work at a modest rate, samples what it holds meanwhile, and counts what was lost or doubled. */
export async function runMixedSoak(options: MixedSoakOptions): Promise<MixedSoakReport> {
  const { stand, seconds, subscribers, rates, patienceMs } = options;
  const scene = await openMixed(stand, subscribers, { REPORT_LISTENERS: 'true' });
  try {
    const { all, live } = await createPaths(scene, subscribers);
    try {
      await Promise.all(all.map(({ open }) => open?.()));
      const [behind, samples] = await Promise.all([offerAll(all, rates, seconds), sampleAll(scene, options)]);
      const ledger = await readLedger(scene, live, patienceMs);
      const courses = coursesOf(samples, Math.min(seconds * FILLING.part, FILLING.mostSeconds));
      return {
        courses,
        ledger,
        behind,
        problems: [...problemsOf(courses, ledger, behind), ...unreadyOf(scene)],
      };
    } finally {
      await Promise.all(all.map(({ close }) => close?.()));
    }
  } finally {
    await scene.close();
  }
}

/** @returns the names of those that were too far behind */
async function offerAll(paths: readonly Path[], rates: number, seconds: number): Promise<string[]> {
  const offered = await Promise.all(
    paths.map(({ start, modestRate }) => offer(start, modestRate * rates, seconds)),
  );
  return paths.flatMap(({ name }, index) => {
    const one = offered[index];
    return one === undefined || isGivenUp(one, seconds) ? [name] : [];
  });
}

type Sample = Readonly<Record<string, number>>;
type Sampled = { readonly at: number; readonly sample: Sample };

async function sampleAll(scene: MixedScene, options: MixedSoakOptions): Promise<Sampled[]> {
  const { seconds, everySeconds, progress } = options;
  const begin = performance.now();
  const samples: Sampled[] = [];
  for (let at = everySeconds; at <= seconds; at += everySeconds) {
    await delay(Math.max(0, begin + at * 1_000 - performance.now()));
    const sample = await readSample(scene);
    samples.push({ at, sample });
    const figures = Object.entries(sample).map(([name, value]) => `${name} ${Number(value.toFixed(1))}`);
    progress(`${(at / 60).toFixed(1)} min: ${figures.join(', ')}`);
  }
  return samples;
}

/** The figures of the server, and the cursors and sessions that the store holds for its clients. */
async function readSample({ server, connection }: MixedScene): Promise<Sample> {
  const { residentKiB, usedKiB, held } = await server.readMemory();
  const files = `/proc/${server.pid}/fd`;
  const { Timeout: timers = 0, listeners = Number.NaN, ...resources } = held;
  const { metrics, logicalSessionRecordCache: sessions } = await connection
    .getClient()
    .db('admin')
    .command({ serverStatus: 1 });
  return {
    'used MiB': usedKiB / 1024,
    'resident MiB': residentKiB / 1024,
    'file descriptors': existsSync(files) ? readdirSync(files).length : Number.NaN,
    timers,
    'other resources': Object.values(resources).reduce((sum, count) => sum + count, 0),
    listeners,
    cursors: Number(metrics?.cursor?.open?.total ?? Number.NaN),
    sessions: Number(sessions?.activeSessionsCount ?? Number.NaN),
  };
}

function coursesOf(samples: readonly Sampled[], from: number): Course[] {
  return Object.keys(samples[0]?.sample ?? {}).map((name) => {
    const points = samples.map(({ at, sample }) => ({ at, value: sample[name] ?? Number.NaN }));
    const judged = points.filter(({ at }) => at >= from);
    return { name, points, judged, trend: judgeTrend(judged, LEAST) };
  });
}

function unreadyOf({ done: { unready } }: MixedScene): string[] {
  return unready > 0 ? [`/health/ready: ${unready} answers of 503`] : [];
}

function problemsOf(
  courses: readonly Course[],
  ledger: readonly Entry[],
  behind: readonly string[],
): string[] {
  return [
    ...ledger
      .filter(isWrong)
      .map(
        ({ name, expected, found, repeated }) =>
          `${name}: ${found} of ${expected}, ${repeated} more than once`,
      ),
    ...behind.map((name) => `${name}: too far behind to be offered all`),
    ...courses.filter(({ trend }) => trend === 'rising').map(({ name }) => `${name}: rising`),
  ];
}
