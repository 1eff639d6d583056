import { parseArgs } from 'node:util';
import { makeIndexes } from '../../subgraphs/platform/database/indexes.ts';
import { createTransactions } from '../../subgraphs/platform/database/transaction.ts';
import { createBatches } from '../../subgraphs/platform/events/batch.ts';
import { createEventModels, type EventModels } from '../../subgraphs/platform/events/model.ts';
import { createNumbering } from '../../subgraphs/platform/events/numbering.ts';
import { type Stand, say, table, withStand } from './stand.ts';

const DAY_MS = 86_400_000;
const TERM = 1;
/** Of each entity, as an atomic call has them. */
const VERSIONS = 5;
const WRITTEN_AT_ONCE = 5_000;

const { values: options } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
const seconds = Number(options.seconds);

/** `npm run bench:numbering [-- --seconds N]`: how many events a second one sequencer can number, by the size of its batches. */
async function main(): Promise<void> {
  await withStand(async (stand) => {
    const rows: string[][] = [];
    for (const size of [500, 50, 5]) {
      rows.push(await measure(stand, size));
    }
    table(['events in a batch', 'events/s', 'ms a turn, p50', 'p95'], rows, 0);
  });
}

async function measure(stand: Stand, size: number): Promise<string[]> {
  const { connection } = stand.database();
  const models = createEventModels(connection);
  await makeIndexes(connection);
  const numbering = createNumbering({
    models,
    batches: createBatches({
      model: models.events,
      size,
      holdMs: 5_000,
      now: () => performance.now(),
      onOrphan: () => say('An event has no predecessor'),
    }),
    runTransaction: createTransactions(connection),
    clock: () => new Date(),
    retentionMs: 30 * DAY_MS,
  });
  let waiting = 0;
  let written = 0;
  let numbered = 0;
  const turns: number[] = [];
  let busyMs = 0;
  while (busyMs < seconds * 1000) {
    if (waiting < size) {
      await write(models, written);
      written += WRITTEN_AT_ONCE;
      waiting += WRITTEN_AT_ONCE;
    }
    const from = performance.now();
    const turn = await numbering.next(TERM);
    const ms = performance.now() - from;
    if (turn.kind === 'fenced') {
      throw new Error('Somebody else numbers');
    }
    busyMs += ms;
    turns.push(ms);
    numbered += turn.count;
    waiting -= turn.count;
  }
  turns.sort((one, other) => one - other);
  const part = (of: number) => (turns[Math.floor(turns.length * of)] ?? Number.NaN).toFixed(1);
  return [String(size), ((numbered / busyMs) * 1000).toFixed(0), part(0.5), part(0.95)];
}

/** As calls write them: a few versions of each entity. */
async function write({ events }: EventModels, from: number): Promise<void> {
  const documents = Array.from({ length: WRITTEN_AT_ONCE }, (_, index) => {
    const nth = from + index;
    const version = (nth % VERSIONS) + 1;
    return {
      tenantId: `tenant${Math.floor(nth / VERSIONS) % 10}`,
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
  await events.collection.insertMany(documents);
}

await main();
