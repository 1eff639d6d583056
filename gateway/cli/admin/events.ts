import type { Connection } from 'mongoose';
import type { RunTransaction } from '../../../subgraphs/kernel/database/transaction.ts';
import { createEventLog, type EventLog } from '../../../subgraphs/runtime/events/log.ts';
import { createEventModels } from '../../../subgraphs/runtime/events/model.ts';
import { ensureLog } from '../../../subgraphs/runtime/events/partitions.ts';
import { repartition } from '../../../subgraphs/runtime/events/repartition.ts';
import { createProcessModel } from '../../../subgraphs/runtime/processes/model.ts';
import { SILENT_AFTER_MS } from '../../../subgraphs/runtime/processes/recorder.ts';

/**
 * How many partitions the event log of the database has.
 * @param configured for a database without a log: it is made with these (EVENT_LOG_PARTITIONS)
 */
export async function readPartitions(connection: Connection, configured: number): Promise<number> {
  return (await ensureLog(createEventModels(connection).log, configured)).partitions;
}

/** The event log for commands. The sequencer of a running server finds their events at its next poll. */
export function createAdminEvents(connection: Connection, partitions: number): EventLog {
  const { events: model } = createEventModels(connection);
  return createEventLog({ model, partitions, wake: () => undefined });
}

/** Divides the event log anew. */
export interface EventDivision {
  /** @returns how many partitions there were. @throws OperatorError, see {@link repartition} */
  repartition(count: number): Promise<number>;
}

export function createEventDivision({
  connection,
  transaction,
  clock,
}: {
  readonly connection: Connection;
  readonly transaction: RunTransaction;
  clock(): Date;
}): EventDivision {
  const models = createEventModels(connection);
  const processes = createProcessModel(connection);
  const runningServers = async () => {
    const since = new Date(clock().getTime() - SILENT_AFTER_MS);
    const running = await processes.find({ seenAt: { $gt: since } }, { role: 1, host: 1, pid: 1 }).lean();
    return running.map(({ role, host, pid }) => `${role} on ${host} (process ${pid})`);
  };
  return { repartition: (count) => repartition({ models, transaction, runningServers }, count) };
}
