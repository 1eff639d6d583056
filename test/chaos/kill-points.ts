import type { KillPoint } from '../support/webhook-worker/orders.ts';

/** Where workers are killed, by their work at that moment. `nth` is the most often that a process comes there. */
const POINTS = {
  store: ['before store write', 'before store commit', 'after store commit'],
  claim: [
    'before claim look',
    'after claim look',
    'before claim lease',
    'after claim lease',
    'before claim commit',
    'after claim commit',
    'before claim read',
    'after claim read',
  ],
  post: ['post begun', 'post sent', 'post answered', 'post ended'],
  record: ['before record write', 'after record write', 'before record commit', 'after record commit'],
} as const;

export const STAGES = ['store', 'claim', 'post', 'record'] as const;
type KillStage = (typeof STAGES)[number];

/** Every point, the stages in turn, so that two that follow each other are of different ones. */
export const KILL_POINTS: readonly string[] = Array.from({ length: POINTS.claim.length }, (_, row) =>
  STAGES.flatMap((stage) => POINTS[stage][row] ?? []),
).flat();

/** The stage that a point belongs to. */
export function stageOf(point: string): KillStage | undefined {
  return STAGES.find((stage) => (POINTS[stage] as readonly string[]).includes(point));
}

/** Most that a worker comes to one point before it is killed there. */
const MOST = 3;

/**
 * Where to kill the processes of a run, as many as are wanted: all points in turn, at the first time, then at the second
 * and third. One of each turn dies at no point but at any moment (undefined).
 */
export function planKills(kills: number): (KillPoint | undefined)[] {
  const length = KILL_POINTS.length + 1;
  return Array.from({ length: kills }, (_, index) => {
    const at = KILL_POINTS[index % length];
    return at === undefined ? undefined : { at, nth: (Math.floor(index / length) % MOST) + 1 };
  });
}
