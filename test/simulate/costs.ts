import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { ROLES, type Role } from '../../subgraphs/kernel/config/roles.ts';

/** A role that is a process of its own. */
export type ProcessRole = Exclude<Role, 'all'>;
export const PROCESS_ROLES = ROLES.filter((role): role is ProcessRole => role !== 'all');
export const SUBGRAPHS = PROCESS_ROLES.filter((role) => role.startsWith('subgraph-'));

const ms = z.number().min(0);
const use = z.object({
  gateway: ms,
  'subgraph-operations': ms,
  'subgraph-links': ms,
  'subgraph-users': ms,
  'subgraph-request-money': ms,
  worker: ms,
  /** The caller, and the receiver of webhooks. */
  load: ms,
  store: ms,
  /** Commands to the store: a number, no milliseconds. */
  commands: z.number().min(0),
  /** Time that passes without anybody's processor: the disk, timers, the network. */
  waitMs: ms,
});

/** The cost of something: milliseconds of processor time of each role and of the store, commands, and waiting. */
export type Use = Readonly<z.infer<typeof use>>;

const costs = z.object({
  /** Where and when they were measured. */
  source: z.string(),
  /** Parts of a call: until it is accepted, from there to its outcome at the partner, and what follows. */
  phases: z.object({ accept: use, outcome: use, after: use }),
  /** One process of each role without calls, for a second. */
  idle: use,
  /** A worker's look for announced work, which finds none; and for each announcement that it reads. */
  look: use,
  notice: use,
  /** An event that the change stream returns to one worker. */
  watch: use,
  /** A turn of the numbering of a partition; and for each event that it numbers. */
  turn: use,
  event: use,
});
export type Costs = z.infer<typeof costs>;
export type Phase = keyof Costs['phases'];

export const COSTS_FILE = 'test/simulate/costs.json';

/** The costs that the last `--validate --save` measured. @throws when the file has another shape */
export function readCosts(): Costs {
  return costs.parse(JSON.parse(readFileSync(COSTS_FILE, 'utf8')));
}

/** A value for each role. */
export const forRoles = <Value>(of: (role: ProcessRole) => Value): Record<ProcessRole, Value> => ({
  gateway: of('gateway'),
  'subgraph-operations': of('subgraph-operations'),
  'subgraph-links': of('subgraph-links'),
  'subgraph-users': of('subgraph-users'),
  'subgraph-request-money': of('subgraph-request-money'),
  worker: of('worker'),
});

/** A value for each phase. */
export const forPhases = <Result>(of: (phase: Phase) => Result): Record<Phase, Result> => ({
  accept: of('accept'),
  outcome: of('outcome'),
  after: of('after'),
});

export const NOTHING: Use = { ...forRoles(() => 0), load: 0, store: 0, commands: 0, waitMs: 0 };

/** A use made of the same figures of two others; none is below zero, though differences of measurements may be. */
export function combine(one: Use, other: Use, by: (one: number, other: number) => number): Use {
  const of = (key: keyof Use) => Math.max(by(one[key], other[key]), 0);
  const [load, store, commands, waitMs] = [of('load'), of('store'), of('commands'), of('waitMs')];
  return { ...forRoles(of), load, store, commands, waitMs };
}

export const times = (one: Use, factor: number): Use => combine(one, one, (figure) => figure * factor);
export const less = (one: Use, other: Use): Use => combine(one, other, (a, b) => a - b);
export const sum = (...uses: readonly Use[]): Use =>
  uses.reduce((one, other) => combine(one, other, (a, b) => a + b), NOTHING);
