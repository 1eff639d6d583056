import type { Model } from 'mongoose';
import type { AlarmDocument } from '../../runtime/jobs/model.ts';
import type { LeaseDocument } from '../../runtime/leases/model.ts';
import type { QueueState } from '../../runtime/work/queue-state.ts';
import type { BulkReplayModel } from '../../webhooks/bulk-replay-model.ts';
import type { QueueFigures, WebhookQueueState } from '../../webhooks/queue-figures.ts';

/** A queue of work of all processes. Figures that a queue does not measure are null. Ages are 0 if nothing waits. */
export interface QueueView {
  /** `webhooks`, `webhooks.replay`, or `pipeline.` and a phase. */
  readonly name: string;
  /** All planned work. */
  readonly waiting: number;
  /** Of it: to be done now; being done; to be done later, which webhooks that are kept for a held endpoint are, too. */
  readonly due: number | null;
  readonly leased: number | null;
  readonly later: number | null;
  /** Of it, in its phase for over 30 s. */
  readonly stuck: number | null;
  /** How long the oldest of it has waited. */
  readonly oldestSeconds: number;
  /** Age of the oldest due item, in seconds. */
  readonly overdueSeconds: number | null;
}

/** Recurring work. */
export interface JobView {
  readonly name: string;
  readonly everySeconds: number | null;
  readonly lastRunAt: Date | null;
  /** null: it has no next time. */
  readonly nextRunAt: Date | null;
  /** How long after its time it has not begun; 0 in time. */
  readonly overdueSeconds: number;
}

/** The right of one process to do something alone. */
export interface LeaseView {
  readonly name: string;
  /** How often it was taken. */
  readonly term: number;
  /** FREE: given back. LAPSED: its holder has neither renewed it nor given it back. */
  readonly state: 'HELD' | 'LAPSED' | 'FREE';
  /** null: it was given back. */
  readonly until: Date | null;
}

/** Figures of remittances by phase. */
export type Phases = Readonly<
  Record<
    string,
    Readonly<Record<QueueState | 'inProgress' | 'stuck' | 'oldestSeconds' | 'overdueSeconds', number>>
  >
>;

export function toWebhookQueue({
  due,
  leased,
  later,
  held,
}: Readonly<Record<WebhookQueueState, QueueFigures>>): QueueView {
  return {
    name: 'webhooks',
    waiting: due.depth + leased.depth + later.depth + held.depth,
    due: due.depth,
    leased: leased.depth,
    later: later.depth + held.depth,
    stuck: null,
    oldestSeconds: Math.max(...[due, leased, later, held].map(({ oldestSeconds }) => oldestSeconds)),
    overdueSeconds: due.overdueSeconds,
  };
}

export function toPipelineQueues(phases: Phases): QueueView[] {
  return Object.entries(phases).map(([phase, figures]) => {
    const { inProgress: waiting, due, leased, later, stuck, oldestSeconds, overdueSeconds } = figures;
    return { name: `pipeline.${phase}`, waiting, due, leased, later, stuck, oldestSeconds, overdueSeconds };
  });
}

/** The webhooks that running replays are still to send again. */
export async function readReplayQueue(model: BulkReplayModel, now: Date): Promise<QueueView> {
  const running = await model
    .find({ state: 'RUNNING' }, { found: 1, replayed: 1, skipped: 1, createdAt: 1 })
    .lean();
  const left = running.map(({ found, replayed, skipped }) => Math.max(0, found - replayed - skipped));
  const ages = running.map(({ createdAt }) => secondsFrom(createdAt, now));
  return {
    name: 'webhooks.replay',
    waiting: left.reduce((sum, one) => sum + one, 0),
    due: null,
    leased: null,
    later: null,
    stuck: null,
    oldestSeconds: Math.max(0, ...ages),
    overdueSeconds: null,
  };
}

export async function readJobs(model: Model<AlarmDocument>, now: Date): Promise<JobView[]> {
  const alarms = await model.find().sort({ name: 1 }).lean();
  return alarms.map(({ name, repeatInterval, lastRunAt, nextRunAt }) => ({
    name,
    everySeconds: repeatInterval === undefined ? null : repeatInterval / 1_000,
    lastRunAt: lastRunAt ?? null,
    nextRunAt: nextRunAt ?? null,
    overdueSeconds: nextRunAt == null ? 0 : secondsFrom(nextRunAt, now),
  }));
}

export async function readLeases(model: Model<LeaseDocument>, now: Date): Promise<LeaseView[]> {
  const leases = await model.find({}, { term: 1, until: 1, token: 1 }).sort({ _id: 1 }).lean();
  return leases.map(({ _id: name, term, until, token }) => {
    const held = until > now ? 'HELD' : 'LAPSED';
    return {
      name,
      term,
      state: token === undefined ? 'FREE' : held,
      until: token === undefined ? null : until,
    };
  });
}

function secondsFrom(since: Date, now: Date): number {
  return Math.max(0, now.getTime() - since.getTime()) / 1_000;
}
