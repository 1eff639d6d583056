import type { Model } from 'mongoose';
import type { ErasedUser } from '../../graph/erasure.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import type { UniqueValues } from '../../kernel/database/unique-values.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { Blocker, UserRecord } from '../user.ts';
import type { UserDocument } from './model.ts';
import { claimsOf, erasureContext, profileContext, revealUser } from './user-repository.ts';

/** Reads and writes the state of erasures. */
export interface Erasures {
  find(user: ErasedUser, unit?: UnitOfWork): Promise<UserRecord | undefined>;
  /**
   * Marks a user that is not marked yet: removes the personal data, the digests and their claims, and blocks the user. Somebody
   * else may register the phone number and the email then. A user who was blocked before keeps the caller of that block.
   * @returns the user after it
   */
  mark(
    user: UserRecord,
    request: { reason: string; by: Blocker; at: Date },
    unit: UnitOfWork,
  ): Promise<UserRecord>;
  /** Marked users with data left, at most `most`, oldest first. */
  unfinished(most: number): Promise<ErasedUser[]>;
  /** Says that nothing is left of a marked user. */
  finish(user: UserRecord, at: Date, unit: UnitOfWork): UserRecord;
}

interface ErasuresDeps {
  model: Model<UserDocument>;
  unique: Pick<UniqueValues, 'release'>;
  box: Box;
}

export function createErasures(deps: ErasuresDeps): Erasures {
  const { model, box } = deps;
  return {
    find: async ({ accountId, userId }, unit) => {
      const found = await model
        .findOne({ _id: userId, accountId })
        .session(unit?.session ?? null)
        .lean<UserDocument>();
      return found ? revealUser(box, found) : undefined;
    },
    mark: (user, request, unit) => mark(deps, user, request, unit),
    unfinished: async (most) => {
      const found = await model
        .find({ isErasing: true })
        .sort({ erasureRequestedAt: 1 })
        .limit(most)
        .select({ accountId: 1 })
        .lean();
      return found.map(({ _id: userId, accountId }) => ({ accountId, userId }));
    },
    finish: ({ accountId, userId, ...user }, at, unit) => {
      const version = (user.version ?? 0) + 1;
      unit.update(model, {
        filter: { _id: userId, accountId, isErasing: true },
        update: { $set: { erasedAt: at, version, updatedAt: at }, $unset: { isErasing: 1 } },
        otherwise: () => new Error(`User ${userId} changed within the transaction that read it`),
      });
      return { ...user, accountId, userId, erasedAt: at, version, updatedAt: at };
    },
  };
}

async function mark(
  { model, unique, box }: ErasuresDeps,
  user: UserRecord,
  { reason, by, at }: { reason: string; by: Blocker; at: Date },
  unit: UnitOfWork,
): Promise<UserRecord> {
  const { accountId, userId, cipResult: _result, blockedReason: _reason, ...rest } = user;
  const marked = {
    blocked: true,
    blockedAt: user.blockedAt ?? at,
    ...(!user.blocked && { blockedBy: by }),
    erasureRequestedAt: at,
    version: (user.version ?? 0) + 1,
    updatedAt: at,
  };
  const stored = await model
    .findOne({ _id: userId, accountId }, { _id: 0, phoneKey: 1, emailKey: 1 })
    .session(unit.session)
    .lean();
  unique.release(claimsOf({ accountId, ...stored }), unit);
  unit.update(model, {
    filter: { _id: userId, accountId, erasureRequestedAt: { $exists: false } },
    update: {
      $set: {
        ...marked,
        isErasing: true,
        profile: box.seal('{}', profileContext(accountId, userId)),
        erasureReason: box.seal(reason, erasureContext(accountId, userId)),
      },
      $unset: { phoneKey: 1, emailKey: 1, nameKeys: 1, cipResult: 1, blockedReason: 1 },
    },
    otherwise: () => new Error(`User ${userId} changed within the transaction that read it`),
  });
  return { ...rest, ...marked, accountId, userId, profile: {}, erasureReason: reason };
}
