import type { ClientSession, Model } from 'mongoose';
import { type StoredBytes, toBuffer } from '../platform/binary.ts';
import type { Box } from '../platform/crypto/box.ts';
import type { Connection } from '../platform/graphql/connection.ts';
import { type Page, paginate } from '../platform/graphql/paginate.ts';
import { newId } from '../platform/ids.ts';
import type { Keys, PersonKey } from './keys.ts';
import type { Listing } from './listing.ts';
import type { UserDocument, UserProfile } from './model.ts';
import type { CipState, UserStanding } from './port.ts';

/** A user with its personal data readable. */
export interface UserRecord
  extends Omit<UserDocument, '_id' | 'profile' | 'phoneKey' | 'emailKey' | keyof CipState>,
    CipState {
  userId: string;
  profile: UserProfile;
}

/** What a user is identified by within its tenant. */
export type UserKey = { userId: string } | { referenceId: string } | PersonKey;

/** A user to store. `isRegistered` ones are found by their phone number and email, and have them for themselves. */
export interface NewUser {
  tenantId: string;
  referenceId?: string;
  profile: UserProfile;
  isRegistered: boolean;
  at: Date;
}

/** Which user changes, and when. */
interface Changed {
  readonly tenantId: string;
  readonly userId: string;
  readonly at: Date;
}

/** Reads and writes users, the personal part sealed on the way in and opened on the way out. */
export interface UserRepository {
  identify(tenantId: string, by: UserKey, session?: ClientSession): Promise<UserStanding | undefined>;
  /** Whose a user is, whatever the tenant. */
  tenantOf(userId: string): Promise<string | undefined>;
  findBy(tenantId: string, by: PersonKey): Promise<UserRecord | undefined>;
  findMany(tenantId: string, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  /** By phone number, as many as there are. */
  findByPhones(tenantId: string, phoneNumbers: readonly string[]): Promise<Map<string, UserRecord>>;
  list(tenantId: string, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** @throws a duplicate key error when there is one with this reference, phone number or email */
  insert(user: NewUser, session: ClientSession): Promise<UserRecord>;
  find(tenantId: string, userId: string, session: ClientSession): Promise<UserRecord | undefined>;
  /** Sets the whole state of the identity check. */
  setCipState(user: Changed, state: CipState, session: ClientSession): Promise<void>;
  /** Sets the profile of a user; what the user is found by stays. */
  setProfile(user: Changed, profile: UserProfile, session: ClientSession): Promise<void>;
}

interface UserRepositoryDeps {
  model: Model<UserDocument>;
  box: Box;
  keys: Keys;
}

export function createUserRepository(deps: UserRepositoryDeps): UserRepository {
  const { model, box, keys } = deps;
  return {
    identify: async (tenantId, by, session) => {
      const found = await model
        .findOne({ tenantId, ...fieldOf(keys, tenantId, by) })
        .select({ blocked: 1 })
        .session(session ?? null)
        .lean();
      return found ? { userId: found._id, blocked: found.blocked } : undefined;
    },
    tenantOf: async (userId) => (await model.findById(userId).select({ tenantId: 1 }).lean())?.tenantId,
    findBy: async (tenantId, by) => {
      const found = await model.findOne({ tenantId, ...keys.of(tenantId, by) }).lean();
      return found ? reveal(box, found) : undefined;
    },
    findMany: async (tenantId, userIds) => {
      const found = await model.find({ _id: { $in: userIds }, tenantId }).lean();
      return new Map(found.map((user) => [user._id, reveal(box, user)]));
    },
    findByPhones: (tenantId, phoneNumbers) => findByPhones(deps, tenantId, phoneNumbers),
    list: (tenantId, { filter, keys: wanted, order }, page) => {
      const registered = Object.assign({}, ...wanted.map((by) => keys.of(tenantId, by)));
      // The tenant first: SecantusDB finds nothing by two fields of partial indexes that stand before it.
      const found = { tenantId, ...filter, ...registered };
      return paginate(model, found, page, (user) => reveal(box, user), order);
    },
    insert: async (user, session) => {
      const document = seal(deps, user);
      await model.insertMany([document], { session });
      return reveal(box, document);
    },
    find: async (tenantId, userId, session) => {
      const found = await model.findOne({ _id: userId, tenantId }).session(session).lean();
      return found ? reveal(box, found) : undefined;
    },
    setCipState: async ({ tenantId, userId, at }, state, session) => {
      const { cipStatus, cipProvider, cipVerifiedAt, cipResult } = state;
      const sealed = cipResult && box.seal(JSON.stringify(cipResult), cipContext(tenantId, userId));
      const given = Object.entries({ cipProvider, cipVerifiedAt, cipResult: sealed });
      const kept = Object.fromEntries(given.filter(([, value]) => value !== undefined));
      const gone = Object.fromEntries(given.filter(([, value]) => value === undefined));
      await model.updateOne(
        { _id: userId, tenantId },
        { $set: { cipStatus, ...kept, updatedAt: at }, $unset: gone },
        { session },
      );
    },
    setProfile: async ({ tenantId, userId, at }, profile, session) => {
      const sealed = box.seal(JSON.stringify(profile), profileContext(tenantId, userId));
      await model.updateOne(
        { _id: userId, tenantId },
        { $set: { profile: sealed, updatedAt: at } },
        { session },
      );
    },
  };
}

function fieldOf(keys: Keys, tenantId: string, by: UserKey): object {
  if ('userId' in by) {
    return { _id: by.userId };
  }
  return 'referenceId' in by ? by : keys.of(tenantId, by);
}

async function findByPhones(
  { model, box, keys }: UserRepositoryDeps,
  tenantId: string,
  phoneNumbers: readonly string[],
): Promise<Map<string, UserRecord>> {
  const numbers = new Map(phoneNumbers.map((number) => [keys.phone(tenantId, number), number]));
  const found = await model.find({ tenantId, phoneKey: { $in: [...numbers.keys()] } }).lean();
  return new Map(found.map((user) => [numbers.get(user.phoneKey ?? '') ?? '', reveal(box, user)]));
}

function seal({ box, keys }: UserRepositoryDeps, user: NewUser): UserDocument {
  const { tenantId, referenceId, profile, isRegistered, at } = user;
  const userId = newId('usr_');
  const { phoneNumber, email } = isRegistered ? profile : {};
  return {
    _id: userId,
    tenantId,
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(phoneNumber === undefined ? {} : { phoneKey: keys.phone(tenantId, phoneNumber) }),
    ...(email === undefined ? {} : { emailKey: keys.email(tenantId, email) }),
    profile: box.seal(JSON.stringify(profile), profileContext(tenantId, userId)),
    cipStatus: 'pending',
    blocked: false,
    createdAt: at,
    updatedAt: at,
  };
}

function reveal(box: Box, document: UserDocument): UserRecord {
  const { _id: userId, profile, cipResult, phoneKey: _phone, emailKey: _email, ...user } = document;
  const open = <Opened>(sealed: StoredBytes, context: string) =>
    JSON.parse(box.open(toBuffer(sealed), context).toString()) as Opened;
  const result = cipResult && {
    cipResult: open<Record<string, unknown>>(cipResult, cipContext(user.tenantId, userId)),
  };
  return {
    ...user,
    ...result,
    userId,
    profile: open<UserProfile>(profile, profileContext(user.tenantId, userId)),
  };
}

function profileContext(tenantId: string, userId: string): string {
  return `${tenantId}|profile|${userId}`;
}

function cipContext(tenantId: string, userId: string): string {
  return `${tenantId}|cipResult|${userId}`;
}
