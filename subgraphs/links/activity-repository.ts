import type { ClientSession, Model } from 'mongoose';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import type { ActivityDocument } from './model.ts';

/** An entry of a link's timeline. */
export interface Activity extends Omit<ActivityDocument, '_id' | 'createdAt'> {
  activityId: string;
  occurredAt: Date;
}

/** Longest timeline that is answered whole; of a longer one the newest part. Pages reach the rest. */
const MOST = 1_000;

export interface ActivityRepository {
  insert(activities: readonly Activity[], session: ClientSession): Promise<void>;
  findMany(tenantId: string, activityIds: readonly string[]): Promise<Map<string, Activity>>;
  /** The timeline of a link, in order of time; its newest 1,000 entries. */
  timeline(tenantId: string, linkId: string): Promise<Activity[]>;
  list(tenantId: string, linkId: string, page: Page): Promise<Connection<Activity>>;
}

export function createActivityRepository(model: Model<ActivityDocument>): ActivityRepository {
  return {
    insert: async (activities, session) => {
      await model.insertMany(activities.map(toDocument), { session });
    },
    findMany: async (tenantId, activityIds) => {
      const found = await model.find({ _id: { $in: activityIds }, tenantId }).lean();
      return new Map(found.map((document) => [document._id, present(document)]));
    },
    timeline: async (tenantId, linkId) => {
      const found = await model
        .find({ tenantId, linkId })
        .sort({ createdAt: -1, _id: -1 })
        .limit(MOST)
        .lean();
      return found.reverse().map(present);
    },
    list: (tenantId, linkId, page) =>
      paginate(model, { tenantId, linkId }, page, present, { field: 'createdAt', direction: 'asc' }),
  };
}

function toDocument({ activityId, occurredAt, ...entry }: Activity): ActivityDocument {
  return { ...entry, _id: activityId, createdAt: occurredAt };
}

function present({ _id: activityId, createdAt: occurredAt, ...entry }: ActivityDocument): Activity {
  return { ...entry, activityId, occurredAt };
}
