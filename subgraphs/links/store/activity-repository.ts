import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Activity } from '../activity.ts';
import type { ActivityDocument } from './model.ts';

/** The longest timeline in one answer; of a longer timeline it has the newest part. Pages have the rest. */
const MOST = 1_000;

/** Reads and writes timelines. It seals free text when it writes, and opens it when it reads. */
export interface ActivityRepository {
  insert(activities: readonly Activity[], unit: UnitOfWork): Promise<void>;
  findMany(accountId: AccountId, activityIds: readonly string[]): Promise<Map<string, Activity>>;
  /** The timeline of a link, in order of time; its newest entries, 1,000 unless it is said how many. */
  timeline(accountId: AccountId, linkId: string, most?: number): Promise<Activity[]>;
  list(accountId: AccountId, linkId: string, page: Page): Promise<Connection<Activity>>;
}

export function createActivityRepository({
  model,
  box,
}: {
  model: Model<ActivityDocument>;
  box: Box;
}): ActivityRepository {
  const present = (document: ActivityDocument) => reveal(box, document);
  return {
    insert: async (activities, unit) => {
      await model.insertMany(
        activities.map((activity) => seal(box, activity)),
        { session: unit.session },
      );
    },
    findMany: async (accountId, activityIds) => {
      const found = await model.find({ _id: { $in: activityIds }, accountId }).lean();
      return new Map(found.map((document) => [document._id, present(document)]));
    },
    timeline: async (accountId, linkId, most = MOST) => {
      const found = await model
        .find({ accountId, linkId })
        .sort({ createdAt: -1, _id: -1 })
        .limit(most)
        .lean();
      return found.reverse().map(present);
    },
    list: (accountId, linkId, page) =>
      paginate(model, { accountId, linkId }, page, present, { field: 'createdAt', direction: 'asc' }),
  };
}

function seal(box: Box, { activityId, occurredAt, error, ...entry }: Activity): ActivityDocument {
  return {
    ...entry,
    ...(error !== undefined && { error: box.seal(error, contextOf(entry.accountId, activityId)) }),
    _id: activityId,
    createdAt: occurredAt,
  };
}

function reveal(
  box: Box,
  { _id: activityId, createdAt: occurredAt, error, ...entry }: ActivityDocument,
): Activity {
  return {
    ...entry,
    ...(error !== undefined && {
      error: box.open(toBuffer(error), contextOf(entry.accountId, activityId)).toString(),
    }),
    activityId,
    occurredAt,
  };
}

function contextOf(accountId: AccountId, activityId: string): string {
  return `${accountId}|error|${activityId}`;
}
