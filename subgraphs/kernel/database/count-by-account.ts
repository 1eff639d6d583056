import type { Model } from 'mongoose';
import type { AccountId } from '../account.ts';
import { fieldOf } from '../objects.ts';
import { toDocument } from './document.ts';

/** Number of documents of an account in a status. */
export interface StatusCount {
  readonly accountId: AccountId;
  readonly status: string;
  readonly count: number;
  /** When the oldest of them was created. */
  readonly oldestAt: Date;
}

/** Counts the open records of some accounts; undefined when there are more than the database counts in 2 s. */
export type CountOpen = (accountIds: readonly AccountId[]) => Promise<readonly StatusCount[] | undefined>;

/** The longest time that the database spends on a count for operators. */
export const WITHIN_TIME = { maxTimeMS: 2_000 } as const;
/** MongoDB's code of a command that ran out of its time. */
const MAX_TIME_EXPIRED = 50;

/**
 * Counts documents of some accounts by status, in one command. It reads only an index on `{ accountId, status, createdAt }`.
 * @returns undefined when there are more of them than the database counts in 2 s
 */
export function countByAccount<T extends { accountId: AccountId; status: string; createdAt: Date }>(
  model: Model<T>,
  accountIds: readonly AccountId[],
  statuses: readonly T['status'][],
): Promise<StatusCount[] | undefined> {
  return unlessTooMany(
    model
      .aggregate<StatusCount>([
        { $match: toDocument({ accountId: { $in: [...accountIds] }, status: { $in: [...statuses] } }) },
        {
          $group: {
            _id: { accountId: '$accountId', status: '$status' },
            count: { $sum: 1 },
            oldestAt: { $min: '$createdAt' },
          },
        },
        { $project: { _id: 0, accountId: '$_id.accountId', status: '$_id.status', count: 1, oldestAt: 1 } },
      ])
      .option(WITHIN_TIME),
  );
}

/** @returns undefined when the command has run out of its time. @throws its other errors */
export async function unlessTooMany<T>(command: PromiseLike<T>): Promise<T | undefined> {
  try {
    return await command;
  } catch (error) {
    if (fieldOf(error, 'code') === MAX_TIME_EXPIRED) {
      return undefined;
    }
    throw error;
  }
}
