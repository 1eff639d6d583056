import { randomInt } from 'node:crypto';
import type { Connection } from 'mongoose';
import type { AccountId } from '../../subgraphs/kernel/account.ts';
import { DEFAULT_PARTITIONS } from '../../subgraphs/kernel/config/work-settings.ts';
import { createTransactions } from '../../subgraphs/kernel/database/transaction.ts';
import { createEventLog } from '../../subgraphs/runtime/events/log.ts';
import {
  createEventModels,
  type NewEvent,
  type NumberedEvent,
} from '../../subgraphs/runtime/events/model.ts';

/** Whose the changes are; another tenant's come between them. */
const TENANT = 'acme/sandbox';
const OTHER_TENANT = 'globex/sandbox';
const WRITERS = 4;
const ENTITIES_EACH = 5;
const USERS = 4;
/** Of a hundred changes so many are another tenant's. */
const FOREIGN_PERCENT = 10;

/** The filter of a client's subscription. */
export interface Filter {
  readonly operationId?: string;
  readonly userId?: string;
}

/** One change as a client sees it: its text is like no other's. */
export interface SeenChange {
  readonly text: string;
  readonly operationId: string;
  readonly userId: string;
}

/** Makes one of the filters that some of the changes pass. */
export function anyFilter(): Filter {
  const entity = entityOf(randomInt(WRITERS), randomInt(ENTITIES_EACH));
  switch (randomInt(3)) {
    case 0:
      return {};
    case 1:
      return { operationId: entity.operationId };
    default:
      return { userId: entity.userId };
  }
}

function entityOf(writer: number, index: number) {
  const number = writer * ENTITIES_EACH + index;
  return { operationId: `op_soak_${number}`, userId: `usr_soak_${number % USERS}` };
}

/**
 * Commits changes, each in a transaction of its own, from several writers at once: as the product's slices do it, in the
 * same collections, without the cost of a remittance. Resolves when all are committed.
 * @param perSecond about how many in a second; more would leave no time for the restarts
 */
export async function writeChanges(connection: Connection, count: number, perSecond: number): Promise<void> {
  const { events } = createEventModels(connection);
  const log = createEventLog({ model: events, partitions: DEFAULT_PARTITIONS, wake: () => undefined });
  const transaction = createTransactions(connection);
  const versions = new Map<string, number>();
  let left = count;
  const write = async (writer: number) => {
    while (left > 0) {
      left -= 1;
      const entity = entityOf(writer, randomInt(ENTITIES_EACH));
      const accountId = randomInt(100) < FOREIGN_PERCENT ? OTHER_TENANT : TENANT;
      const key = `${accountId}/${entity.operationId}`;
      const version = (versions.get(key) ?? 0) + 1;
      versions.set(key, version);
      await transaction(async (unit) => log.append([toEvent(accountId, entity, version)], unit));
      await new Promise((wait) => setTimeout(wait, (1_000 * WRITERS) / perSecond));
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
}

function toEvent(
  accountId: AccountId,
  { operationId, userId }: { operationId: string; userId: string },
  version: number,
): NewEvent {
  return {
    accountId,
    entity: 'operation',
    entityId: operationId,
    version,
    type: version === 1 ? 'operation.created' : 'operation.status_changed',
    previousStatus: version === 1 ? null : 'Sent',
    status: 'Sent',
    statusDetails: `${operationId} version ${version}`,
    data: { userId },
    occurredAt: new Date(),
  };
}

/** The tenant's changes by the log, in its order; undefined while some have no number yet. */
export async function readLog(connection: Connection): Promise<readonly SeenChange[] | undefined> {
  const { events } = createEventModels(connection);
  if ((await events.countDocuments({ pending: true })) > 0) {
    return undefined;
  }
  const numbered = await events
    .find({ accountId: TENANT, entity: 'operation' })
    .sort({ seq: 1 })
    .lean<NumberedEvent[]>();
  return numbered.map(({ statusDetails = '', entityId, data }) => ({
    text: statusDetails,
    operationId: entityId,
    userId: String(data.userId),
  }));
}

/** The texts of the changes that pass a filter, in order. */
export function textsFor(log: readonly SeenChange[], { operationId, userId }: Filter): string[] {
  return log
    .filter(
      (change) =>
        (operationId === undefined || change.operationId === operationId) &&
        (userId === undefined || change.userId === userId),
    )
    .map(({ text }) => text);
}
