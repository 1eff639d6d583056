import type { Connection } from 'mongoose';
import { createModels } from '../../gateway/app/models.ts';
import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { createEventModels } from '../../subgraphs/runtime/events/model.ts';
import { partitionOf } from '../../subgraphs/runtime/events/partitions.ts';
import { createMigrations } from '../../subgraphs/runtime/migrations/migrations.ts';
import { say } from './stand.ts';

const BATCH = 5_000;
const AT_ONCE = 2;
const DAY_MS = 86_400_000;
/** Of each entity, as an atomic call has them. */
const VERSIONS = 5;
const ACCOUNT = 'acme/sandbox';
const PARTITION = partitionOf(ACCOUNT, DEFAULT_PARTITIONS);

/**
 * Fills an empty event log with so many numbered events of one account, as years of calls would leave them. Indexes are kept
 * up meanwhile: SecantusDB takes longer to make them afterwards.
 */
export async function fillEventLog(connection: Connection, total: number): Promise<void> {
  const models = createEventModels(connection);
  createModels(connection);
  await createMigrations({ connection, log: { info: () => undefined } }).apply();
  const from = performance.now();
  const keptUntil = new Date(Date.now() + 30 * DAY_MS);
  const write = (first: number) => {
    const count = Math.min(BATCH, total - first);
    const documents = Array.from({ length: count }, (_, index) => toDocument(first + index, keptUntil));
    return models.events.collection.insertMany(documents, {
      ordered: false,
      writeConcern: { w: 1, j: false },
    });
  };
  let next = 0;
  const work = async () => {
    while (next < total) {
      const first = next;
      next += BATCH;
      await write(first);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await models.heads.create({ _id: PARTITION, lastSeq: total, term: 0, keptUntil });
  const seconds = ((performance.now() - from) / 1000).toFixed(0);
  say(`Filled the event log with ${total.toLocaleString('en')} events in ${seconds} s.`);
}

function toDocument(index: number, keptUntil: Date) {
  const version = (index % VERSIONS) + 1;
  return {
    partition: PARTITION,
    accountId: ACCOUNT,
    entity: 'operation',
    entityId: `filled ${Math.floor(index / VERSIONS)}`,
    version,
    type: 'operation.status_changed',
    previousStatus: version === 1 ? null : 'Sent',
    status: 'Sent',
    data: {},
    occurredAt: new Date(Date.now() - DAY_MS + index),
    seq: index + 1,
    keptUntil,
  };
}
