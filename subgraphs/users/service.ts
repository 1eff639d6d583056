import type { ClientSession, Model } from 'mongoose';
import { toBuffer } from '../platform/binary.ts';
import type { Box } from '../platform/crypto/box.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import { newId } from '../platform/ids.ts';
import type { Principal } from '../platform/principal.ts';
import type { UserDocument, UserProfile } from './model.ts';

/** A user with its personal data readable. */
export interface UserRecord extends Omit<UserDocument, '_id' | 'profile'> {
  userId: string;
  profile: UserProfile;
}

/** What other slices may ask of users, inside their own transaction. */
export interface UsersPort {
  /** The tenant's user with this reference, made from the profile when there is none. */
  ensureByReference(input: EnsureUser, session: ClientSession): Promise<{ userId: string; blocked: boolean }>;
}

export interface EnsureUser {
  tenantId: string;
  referenceId: string;
  profile: UserProfile;
}

export interface UserService extends UsersPort {
  /** Those of the users that the principal's tenant has, by id. */
  findByIds(principal: Principal, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  list(principal: Principal, page: Page): Promise<Connection<UserRecord>>;
}

interface UserServiceDeps {
  model: Model<UserDocument>;
  box: Box;
}

export function createUserService(deps: UserServiceDeps): UserService {
  return {
    ensureByReference: (input, session) => ensureByReference(deps, input, session),
    findByIds: (principal, userIds) => findByIds(deps, principal, userIds),
    list: (principal, page) =>
      paginate(deps.model, { tenantId: principal.tenantId }, page, (user) => reveal(deps.box, user)),
  };
}

async function ensureByReference({ model, box }: UserServiceDeps, input: EnsureUser, session: ClientSession) {
  const { tenantId, referenceId, profile } = input;
  const found = await model.findOne({ tenantId, referenceId }).select({ blocked: 1 }).session(session).lean();
  if (found) {
    return { userId: found._id, blocked: found.blocked };
  }
  const userId = newId('usr_');
  const now = new Date();
  const document: UserDocument = {
    _id: userId,
    tenantId,
    referenceId,
    profile: box.seal(JSON.stringify(profile), profileContext(tenantId, userId)),
    cipStatus: 'pending',
    blocked: false,
    createdAt: now,
    updatedAt: now,
  };
  await model.insertMany([document], { session });
  return { userId, blocked: false };
}

async function findByIds(
  { model, box }: UserServiceDeps,
  { tenantId }: Principal,
  userIds: readonly string[],
) {
  const found = await model.find({ _id: { $in: userIds }, tenantId }).lean();
  return new Map(found.map((user) => [user._id, reveal(box, user)]));
}

function reveal(box: Box, { _id: userId, profile, ...user }: UserDocument): UserRecord {
  const opened = box.open(toBuffer(profile), profileContext(user.tenantId, userId)).toString();
  return { ...user, userId, profile: JSON.parse(opened) as UserProfile };
}

function profileContext(tenantId: string, userId: string): string {
  return `${tenantId}|profile|${userId}`;
}
