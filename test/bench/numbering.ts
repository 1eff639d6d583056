import { parseArgs } from 'node:util';
import type { Connection } from 'mongoose';
import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { createBatches, createNumberedMemory } from '../../subgraphs/runtime/events/batch.ts';
import { createEventModels, type EventModels } from '../../subgraphs/runtime/events/model.ts';
import { createNumbering, type Numbering } from '../../subgraphs/runtime/events/numbering.ts';
import { partitionOf } from '../../subgraphs/runtime/events/partitions.ts';
import { describeRatio, inTurns, judge, ratioOf } from './compare.ts';
import { type Cost, costOf, createCostReader, ownProcessorMs, perCall, type ReadCost } from './cost.ts';
import { fillEventLog } from './fill-events.ts';
import { median, percentile } from './load.ts';
import { type Stand, say, table, withStand } from './stand.ts';

const DAY_MS = 86_400_000;
const TERM = 1;
const ACCOUNT = 'bench/sandbox';
const PARTITION = partitionOf(ACCOUNT, DEFAULT_PARTITIONS);
/** Of each entity, as an atomic call has them. */
const VERSIONS = 5;
const ROUNDS = 4;
/** Goals for one partition, in events a second, by the size of its batches. */
const GOALS = [
  { size: 500, goal: 3_000 },
  { size: 50, goal: undefined },
  { size: 5, goal: 500 },
] as const;
/** A log full of events may take this much of the rate. */
const LEAST_RATIO = 0.9;

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '16' }, events: { type: 'string', default: '100000' } },
});
const secondsOfRound = Number(options.seconds) / ROUNDS;
const events = Number(options.events);

/** One who numbers, in a log of its own. */
interface Side {
  readonly name: string;
  readonly models: EventModels;
  readonly numbering: Numbering;
  readonly readCost: ReadCost;
  written: number;
}

interface Round {
  readonly perSecond: number;
  readonly turns: readonly number[];
  /** Of an event. */
  readonly cost: Cost;
  readonly commandsOfTurn: number;
}

/**
 * `npm run bench:numbering [-- --seconds N --events N]`: how many events of one partition a second can be numbered, by the size of its
 * batches, in an empty log and in one of N events.
 */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const rows: string[][] = [];
    const full = stand.database().connection;
    await fillEventLog(full, events);
    for (const { size, goal } of GOALS) {
      const sides = [
        await createSide('empty', size, await emptyLog(stand)),
        await createSide(`${events.toLocaleString('en')} events`, size, full),
      ];
      const rounds = await inTurns(sides, ROUNDS, (side) => measure(side, size));
      rows.push(...sides.map((side) => rowOf(side, size, rounds.get(side) ?? [])));
      const [fewer = [], more = []] = sides.map((side) => rounds.get(side) ?? []);
      sayVerdicts(size, goal, fewer, more);
    }
    const header = ['events in a batch', 'log', 'events/s', 'ms a turn, p50', 'p95', 'commands a turn'];
    table([...header, 'process ms an event', 'store ms an event, insert included'], rows, 2);
  });
}

async function emptyLog(stand: Stand): Promise<Connection> {
  const { connection } = stand.database();
  createEventModels(connection);
  await makeIndexes(connection);
  return connection;
}

async function createSide(name: string, size: number, connection: Connection): Promise<Side> {
  const models = createEventModels(connection);
  const last = await models.events.countDocuments({ accountId: ACCOUNT });
  return {
    name,
    models,
    numbering: createNumbering({
      models,
      partition: PARTITION,
      batches: createBatches({
        model: models.events,
        partition: PARTITION,
        memory: createNumberedMemory(),
        size,
        holdMs: 5_000,
        now: () => performance.now(),
        onOrphan: () => say('An event has no predecessor'),
      }),
      runTransaction: createTransactions(connection),
      clock: () => new Date(),
      retentionMs: 30 * DAY_MS,
    }),
    readCost: createCostReader(connection, () => 0),
    written: last,
  };
}

/**
 * Turns of one size. Before each one, as many events are written as it is to number: were there more, the product would
 * number more at once, and SecantusDB looks through all that wait.
 */
async function measure(side: Side, size: number): Promise<Round> {
  const turns: number[] = [];
  const before = await side.readCost();
  let [busyMs, processMs, numbered] = [0, 0, 0];
  const until = performance.now() + secondsOfRound * 1000;
  while (performance.now() < until || turns.length === 0) {
    await write(side, size);
    const [from, usedBefore] = [performance.now(), ownProcessorMs()];
    const turn = await side.numbering.next(TERM);
    const ms = performance.now() - from;
    if (turn.kind === 'fenced' || turn.count !== size) {
      throw new Error(`Of ${size} events ${turn.kind === 'fenced' ? 'none' : turn.count} were numbered`);
    }
    busyMs += ms;
    processMs += ownProcessorMs() - usedBefore;
    turns.push(ms);
    numbered += turn.count;
  }
  const cost = costOf(before, await side.readCost());
  return {
    perSecond: (numbered / busyMs) * 1000,
    turns,
    cost: perCall({ ...cost, processMs }, numbered),
    // Less the insert of its events.
    commandsOfTurn: cost.commands / turns.length - 1,
  };
}

function rowOf({ name }: Side, size: number, rounds: readonly Round[]): string[] {
  const turns = rounds.flatMap((round) => [...round.turns]);
  const of = (figure: (round: Round) => number) => median(rounds.map(figure));
  return [
    String(size),
    name,
    of(({ perSecond }) => perSecond).toFixed(0),
    percentile(turns, 0.5).toFixed(1),
    percentile(turns, 0.95).toFixed(1),
    of(({ commandsOfTurn }) => commandsOfTurn).toFixed(1),
    of(({ cost }) => cost.processMs).toFixed(3),
    of(({ cost }) => cost.storeMs).toFixed(3),
  ];
}

function sayVerdicts(
  size: number,
  goal: number | undefined,
  fewer: readonly Round[],
  more: readonly Round[],
): void {
  const rates = (rounds: readonly Round[]) => rounds.map(({ perSecond }) => perSecond);
  if (goal !== undefined) {
    const rate = median(rates(more));
    say(`Batches of ${size}: ${rate.toFixed(0)} events/s, goal ${goal}: ${judge.verdict(rate >= goal)}`);
  }
  const ratio = ratioOf(rates(more), rates(fewer));
  const verdict = judge.verdict(ratio.median >= LEAST_RATIO);
  say(`Batches of ${size}: full log to empty one ${describeRatio(ratio)}, goal ${LEAST_RATIO}: ${verdict}`);
}

/** As calls write them: a few versions of each entity. */
async function write(side: Side, count: number): Promise<void> {
  const documents = Array.from({ length: count }, (_, index) => {
    const nth = side.written + index;
    const version = (nth % VERSIONS) + 1;
    return {
      partition: PARTITION,
      accountId: ACCOUNT,
      entity: 'operation',
      entityId: `operation ${Math.floor(nth / VERSIONS)}`,
      version,
      type: 'operation.status_changed',
      previousStatus: null,
      status: 'Sent',
      data: {},
      occurredAt: new Date(nth),
      pending: true,
    };
  });
  side.written += count;
  await side.models.events.collection.insertMany(documents);
}

await main();
