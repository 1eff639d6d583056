import { setTimeout as delay } from 'node:timers/promises';
import type { Partner } from '../bench/atomic-calls.ts';
import { keepBusy } from '../bench/closed-load.ts';
import { createCostReader, ownProcessorMs } from '../bench/cost.ts';
import { median } from '../bench/load.ts';
import { offer, type Started } from '../bench/offered-load.ts';
import type { LoadedServer } from '../bench/processes.ts';
import type { Split } from '../bench/split.ts';
import type { BenchDatabase } from '../bench/stand.ts';
import { type Costs, combine, forPhases, less, NOTHING, type Phase, sum, times, type Use } from './costs.ts';
import { EVENTS_A_CALL, LOOKS_A_SECOND, TURNS_A_SECOND } from './plan.ts';
import { PATHS } from './product.ts';

/** The product that is measured: one process of each role, with the store and the load on this machine. */
export interface Measured {
  readonly split: Split;
  readonly partner: Partner;
  readonly database: BenchDatabase;
}

const SINGLE_CALLS = 20;
/** Calls a second that do not wait for each other. */
const QUIET_RATE = 5;
/** Longer than what follows an outcome takes. */
const SETTLE_MS = 700;
const UNDER_WAY = 8;
/** Few enough for one turn each in a round, also on a busy machine. */
const PARTITIONS = 16;
const MANY = 400;
/** Time for a turn and a read of the log, in the long run; and for a look. */
const [ROUND_MS, LOOK_MS] = [300, 70];
/** The mean of the delay before a look, which the simulation adds itself. */
const MEAN_DELAY_MS = 10;

type Read = () => Promise<Use>;

/** Reads all uses so far; `waitMs` is the time. @throws when the store is not on this machine */
function createReader({ split: { gateways, subgraphs, workers }, database }: Measured): Read {
  const readCost = createCostReader(database.connection, () => 0);
  const used = (...servers: readonly (LoadedServer | undefined)[]) =>
    servers.reduce((all, server) => all + (server?.processorMs() ?? Number.NaN), 0);
  return async () => {
    const { commands, storeMs: store } = await readCost();
    return sum({
      gateway: used(...gateways),
      'subgraph-operations': used(subgraphs[0]),
      'subgraph-links': used(subgraphs[1]),
      'subgraph-users': used(subgraphs[2]),
      'subgraph-request-money': used(subgraphs[3]),
      worker: used(...workers),
      load: ownProcessorMs(),
      ...{ store, commands, waitMs: performance.now() },
    });
  };
}

async function spent(read: Read, run: () => Promise<unknown>): Promise<Use> {
  const before = await read();
  await run();
  return less(await read(), before);
}

/** Without what the processes do for themselves meanwhile. */
const own = (use: Use, idle: Use): Use => less(use, times(idle, use.waitMs / 1000));

/**
 * Measures all costs in about a minute: a pause, events that are written directly into the log, and calls. Those one by one
 * divide the costs among the phases; from several at once is the processor time, and from few a second the time of the
 * phases. Their time that is neither processor time nor a known delay is waiting.
 */
export async function calibrate(measured: Measured, seconds: number, source: string): Promise<Costs> {
  const read = createReader(measured);
  const call = () => measured.partner.call(measured.split.gateways[0].url);
  await keepBusy(call, UNDER_WAY, seconds / 2);
  await delay(2 * SETTLE_MS);
  const rest = await spent(read, () => delay(seconds * 1000));
  const idle = { ...times(rest, 1000 / rest.waitMs), waitMs: 0 };
  const log = await measureLog(measured, read, idle);
  const single = await measurePhases(call, read, idle);
  const quiet = await offer(call, QUIET_RATE, seconds);
  const took = { accept: median(quiet.toAccepted), outcome: median(quiet.toDone), after: 0 };
  let calls = 0;
  const busy = await spent(read, async () => {
    calls = (await keepBusy(call, UNDER_WAY, seconds)).calls;
  });
  const elapsed = busy.waitMs / 1000;
  const ofLog = sum(
    times(log.turn, TURNS_A_SECOND * elapsed),
    times(log.look, Math.min(LOOKS_A_SECOND * elapsed, calls)),
    times(sum(log.notice, times(sum(log.watch, log.event), EVENTS_A_CALL)), calls),
  );
  const ofCall = times(less(own(busy, idle), ofLog), 1 / calls);
  const singly = sum(single.accept, single.outcome, single.after);
  const share = combine(ofCall, singly, (loaded, alone) => (alone > 0 ? loaded / alone : 0));
  const phases = forPhases((phase) => {
    const use = combine(single[phase], share, (alone, factor) => alone * factor);
    const worked = [...PATHS[phase], 'store' as const, 'load' as const].reduce(
      (all, key) => all + use[key],
      0,
    );
    const looked = phase === 'outcome' ? MEAN_DELAY_MS + log.look.worker + log.look.store : 0;
    return { ...use, waitMs: Math.max(took[phase] - worked - looked, 0) };
  });
  return { source, phases, idle, ...log };
}

/** The uses of the phases of a call, of calls one by one. */
async function measurePhases(call: () => Started, read: Read, idle: Use): Promise<Record<Phase, Use>> {
  const uses = forPhases<Use[]>(() => []);
  for (let nth = 0; nth < SINGLE_CALLS; nth += 1) {
    let before = await read();
    const { accepted, done } = call();
    const ends = { accept: accepted, outcome: done, after: done.then(() => delay(SETTLE_MS)) };
    for (const phase of ['accept', 'outcome', 'after'] as const) {
      await ends[phase];
      const end = await read();
      uses[phase].push(less(end, before));
      before = end;
    }
  }
  return forPhases((phase) => own(times(sum(...uses[phase]), 1 / SINGLE_CALLS), idle));
}

interface Round {
  readonly rounds?: number;
  readonly collection?: string;
  readonly partitions?: number;
  readonly ms?: number;
}

/** Costs of the event log: many events at once, and few, with and without each mark that makes somebody do something. */
async function measureLog({ database }: Measured, read: Read, idle: Use) {
  let written = 0;
  /** Of a round, and only what workers and store do. */
  const round = async (
    count: number,
    marks: { pending?: true; unclaimed?: true },
    { rounds = 10, collection = 'events', partitions = 1, ms = ROUND_MS }: Round = {},
  ): Promise<Use> => {
    const use = await spent(read, async () => {
      for (let nth = 0; nth < rounds; nth += 1) {
        const events = Array.from({ length: count }, (_, index) => ({
          ...eventOf(written + index, partitions),
          ...marks,
        }));
        written += count;
        await database.connection.collection(collection).insertMany(events);
        await delay(ms);
      }
    });
    const { worker, store, commands } = times(own(use, idle), 1 / rounds);
    return { ...NOTHING, worker, store, commands };
  };
  const each = (use: Use, count: number) => times(use, 1 / count);
  const insert = each(await round(MANY, {}, { collection: 'benchControl' }), MANY);
  const plain = await round(MANY, {});
  const watch = less(each(plain, MANY), insert);
  const many = less(await round(MANY, { pending: true }), plain);
  const turns = await round(
    PARTITIONS,
    { pending: true },
    { rounds: 15, partitions: PARTITIONS, ms: 2 * ROUND_MS },
  );
  const few = less(each(turns, PARTITIONS), sum(insert, watch));
  const event = each(less(many, few), MANY - 1);
  const notice = each(less(await round(MANY, { unclaimed: true }), plain), MANY);
  const one = await round(1, { unclaimed: true }, { rounds: 60, ms: LOOK_MS });
  return { watch, event, turn: less(few, event), notice, look: less(one, sum(insert, watch, notice)) };
}

/** An event of an entity of its own, which nobody knows. */
function eventOf(nth: number, partitions: number) {
  const status = { type: 'remittance.created', previousStatus: null, status: 'IN_PROGRESS', data: {} };
  const entity = { accountId: 'acme/sandbox', entity: 'remittance', entityId: `none-${nth}`, version: 1 };
  return { partition: nth % partitions, ...entity, ...status, occurredAt: new Date() };
}
