import { createHash } from 'node:crypto';
import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { commandLine } from '../../kernel/command-line.ts';
import { isDuplicateKey } from '../../kernel/database/transaction.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { EVENT_LOG, type EventLogDocument } from './model.ts';

/**
 * The partition of an account's events, from 0: all of them are in the same one, so that the order of an account's log needs no
 * other. The same for every process and version.
 */
export function partitionOf(accountId: AccountId, partitions: number): number {
  return createHash('sha256').update(accountId).digest().readUInt32BE(0) % partitions;
}

/** The partitions of a log: 0 to `count` - 1. */
export function partitionsOf(count: number): readonly number[] {
  return Array.from({ length: count }, (_, partition) => partition);
}

/** The log is divided into another number of partitions than this process is configured for. */
class PartitionsError extends OperatorError {
  override readonly name = 'PartitionsError';

  constructor(stored: number, configured: number) {
    super(
      `The event log has ${stored} partitions, and EVENT_LOG_PARTITIONS says ${configured}. ` +
        `Set EVENT_LOG_PARTITIONS to ${stored}, or stop all processes and run ` +
        `${commandLine('admin', `events partition --count ${configured}`)}.`,
    );
  }
}

/** The log of the database, in as many partitions as it has; a new one gets `partitions`. */
export async function ensureLog(
  model: Model<EventLogDocument>,
  partitions: number,
): Promise<EventLogDocument> {
  return (await model.findById(EVENT_LOG).lean()) ?? (await beginLog(model, partitions));
}

/**
 * The log of the database; a new one is divided into `partitions`.
 * @throws PartitionsError when the log has another number of them
 */
export async function openLog(model: Model<EventLogDocument>, partitions: number): Promise<EventLogDocument> {
  const log = await ensureLog(model, partitions);
  if (log.partitions !== partitions) {
    throw new PartitionsError(log.partitions, partitions);
  }
  return log;
}

async function beginLog(model: Model<EventLogDocument>, partitions: number): Promise<EventLogDocument> {
  const log: EventLogDocument = {
    _id: EVENT_LOG,
    partitions,
    startsAfter: 0,
    numberedBefore: 0,
    revision: 1,
    processes: [],
    holders: partitionsOf(partitions).map(() => null),
  };
  try {
    await model.create(log);
    return log;
  } catch (error) {
    const other = isDuplicateKey(error) ? await model.findById(EVENT_LOG).lean() : null;
    if (other === null) {
      throw error;
    }
    return other;
  }
}
