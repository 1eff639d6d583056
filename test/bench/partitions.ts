import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { makeIndexes } from '../../subgraphs/kernel/database/indexes.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { createEvents, type Events, type NewEvent } from '../../subgraphs/runtime/events/index.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { describeRatio, inTurns, judge, ratioOf } from './compare.ts';
import { percentile } from './load.ts';
import { type Stand, say, table, withStand } from './stand.ts';

const ROUNDS = 4;
const GOAL = 1.5;
/** The accounts are in different partitions, but for a log of one. */
const BUSY: AccountId = 'acme/sandbox';
const QUIET: AccountId = 'globex/sandbox';
/** Events of a transaction of the busy account. */
const AT_ONCE = 100;
/** Pause between two events of the quiet account, milliseconds: each finds the sequencer at rest, as those of a single call do. */
const PAUSE_MS = 400;

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '40' }, rate: { type: 'string', default: '2000' } },
});
const secondsOfRound = Number(options.seconds) / ROUNDS;
const rate = Number(options.rate);

/** A log, and whether the busy account writes to it. */
interface Side {
  readonly name: string;
  readonly isBusy: boolean;
  readonly events: Events;
  write(events: readonly NewEvent[]): Promise<void>;
}

interface Round {
  /** From the commit of the quiet account's event until its follower has it, milliseconds. */
  readonly latencies: readonly number[];
  /** Events a second of the busy account. */
  readonly written: number;
}

/**
 * `npm run bench:partitions [-- --seconds N --rate N]`: how long a quiet account's live events take alone, and beside an account
 * that writes N events a second, in a log of many partitions and in a log of one.
 */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const [many, one] = [await openLog(stand, DEFAULT_PARTITIONS), await openLog(stand, 1)];
    const sides: Side[] = [
      { name: 'alone', isBusy: false, ...many },
      { name: `beside ${rate} events/s`, isBusy: true, ...many },
      { name: `beside ${rate} events/s, one partition`, isBusy: true, ...one },
    ];
    const rounds = await inTurns(sides, ROUNDS, measure);
    await Promise.all([many, one].map(({ events }) => events.close()));
    const p95s = sides.map((side) =>
      (rounds.get(side) ?? []).map(({ latencies }) => percentile(latencies, 0.95)),
    );
    table(
      ['quiet account', 'p50, ms', 'p95, ms', 'busy account, events/s'],
      sides.map((side) => rowOf(side, rounds.get(side) ?? [])),
      1,
    );
    const [alone = [], beside = [], undivided = []] = p95s;
    const ratio = ratioOf(beside, alone);
    say(`p95 beside to alone ${describeRatio(ratio)}, goal ${GOAL}: ${judge.verdict(ratio.median <= GOAL)}`);
    say(`In one partition: ${describeRatio(ratioOf(undivided, alone))}`);
  });
}

async function openLog(stand: Stand, partitions: number): Promise<Pick<Side, 'events' | 'write'>> {
  const { connection } = stand.database();
  createEventModels(connection);
  await makeIndexes(connection);
  const events = createEvents({
    connection,
    partitions,
    log: pino({ level: 'error' }),
    cursorKeys: [randomBytes(32)],
    isClockRight: () => true,
  });
  await events.open();
  events.sequencer.start();
  const transaction = createTransactions(connection);
  return {
    events,
    write: (written) => transaction((unit) => Promise.resolve(events.log.append(written, unit))),
  };
}

async function measure({ isBusy, events, write }: Side): Promise<Round> {
  const stopping = new AbortController();
  const followed = await events.follow({ accountId: QUIET, entity: 'operation', signal: stopping.signal });
  if (!followed.ok) {
    throw new Error('The log refuses a follower');
  }
  const arrivals = new Map<string, number>();
  const reading = (async () => {
    for await (const event of followed.value) {
      arrivals.set(event.entityId, performance.now());
    }
  })();
  const until = performance.now() + secondsOfRound * 1_000;
  const [latencies, written] = await Promise.all([
    writeQuietly(write, arrivals, until),
    isBusy ? writeBusily(write, until) : 0,
  ]);
  stopping.abort();
  await reading;
  return { latencies, written: written / secondsOfRound };
}

async function writeQuietly(
  write: Side['write'],
  arrivals: ReadonlyMap<string, number>,
  until: number,
): Promise<number[]> {
  const commits = new Map<string, number>();
  while (performance.now() < until) {
    const entityId = randomUUID();
    await write([newEvent(QUIET, entityId)]);
    commits.set(entityId, performance.now());
    await delay(PAUSE_MS);
  }
  while (arrivals.size < commits.size) {
    await delay(10);
  }
  return [...commits].map(([id, committed]) => Math.max(0, (arrivals.get(id) ?? Number.NaN) - committed));
}

/** @returns how many events it has written */
async function writeBusily(write: Side['write'], until: number): Promise<number> {
  const from = performance.now();
  let written = 0;
  while (performance.now() < until) {
    await write(Array.from({ length: AT_ONCE }, () => newEvent(BUSY, randomUUID())));
    written += AT_ONCE;
    await delay(Math.max(0, from + (written / rate) * 1_000 - performance.now()));
  }
  return written;
}

function newEvent(accountId: AccountId, entityId: string): NewEvent {
  return {
    accountId,
    entity: 'operation',
    entityId,
    version: 1,
    type: 'operation.created',
    previousStatus: null,
    status: 'Sent',
    occurredAt: new Date(),
  };
}

function rowOf({ name }: Side, rounds: readonly Round[]): string[] {
  const latencies = rounds.flatMap((round) => [...round.latencies]);
  const written = rounds.reduce((sum, round) => sum + round.written, 0) / rounds.length;
  return [
    name,
    percentile(latencies, 0.5).toFixed(1),
    percentile(latencies, 0.95).toFixed(1),
    written.toFixed(0),
  ];
}

await main();
