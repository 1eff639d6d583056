import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type NumberedPage, type PageNumber, readPage } from '../../graph/numbered-page.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { newId } from '../../kernel/database/ids.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { UserNotAllowedError } from '../port.ts';
import type {
  AccountState,
  BlockState,
  CipState,
  CipStatus,
  PersonKey,
  UserProfile,
  UserRecord,
} from '../user.ts';
import { createIdentities, type Identities, type UserKey } from './identities.ts';
import type { Keys } from './keys.ts';
import { type Listing, toStoredFilter, type UserFilter } from './listing.ts';
import type { UserDocument } from './model.ts';

/** A user to store. Registered users are found by their phone number and email, which no other user has. */
export interface NewUser {
  tenantId: string;
  referenceId?: string;
  profile: UserProfile;
  isRegistered: boolean;
  at: Date;
}

/** The changed user, and the time. */
interface Changed {
  readonly tenantId: string;
  readonly userId: string;
  readonly at: Date;
}

/** Reads and writes users. It seals the personal part when it writes, and opens it when it reads. */
export interface UserRepository extends Pick<Identities, 'identify' | 'identifyRegistered' | 'hasReference'> {
  /**
   * Finds a user for a transaction that succeeds only while the user is not blocked. It writes to the user, so that a block
   * at the same moment conflicts with it: either the transaction commits before the block, or it runs again and sees the
   * block. A plain read is not enough: under snapshot isolation both would commit. It does not write to a blocked user.
   */
  hold(tenantId: string, by: UserKey, unit: UnitOfWork): Promise<AccountState | undefined>;
  /** As {@link hold}, without a read: ends the transaction with UserNotAllowedError when the user is blocked or missing. */
  requireUnblocked(tenantId: string, userId: string, unit: UnitOfWork): void;
  /** The tenant of a user. */
  tenantOf(userId: string): Promise<string | undefined>;
  findBy(tenantId: string, by: PersonKey): Promise<UserRecord | undefined>;
  findMany(tenantId: string, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  /** By phone number, as many as there are. */
  findByPhones(tenantId: string, phoneNumbers: readonly string[]): Promise<Map<string, UserRecord>>;
  list(tenantId: string, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** A page by number, newest first. */
  page(tenantId: string, filter: UserFilter, page: PageNumber): Promise<NumberedPage<UserRecord>>;
  /** @throws a duplicate key error when there is one with this reference, phone number or email */
  insert(user: NewUser, unit: UnitOfWork): UserRecord;
  find(tenantId: string, userId: string, unit: UnitOfWork): Promise<UserRecord | undefined>;
  /** Sets the whole state of the identity check; with `unless`, only for a user with another status. */
  setCipState(user: Changed, state: CipState, unit: UnitOfWork, unless?: CipStatus): void;
  /**
   * Blocks or unblocks a user, as the user's next version. @returns the user after it @throws when the user changed
   * meanwhile: the read was outside of the transaction
   */
  setBlock(user: UserRecord, state: BlockState, at: Date, unit: UnitOfWork): UserRecord;
  /** Sets the profile of a user, but not the keys that find the user. */
  setProfile(user: Changed, profile: UserProfile, unit: UnitOfWork): void;
  /** Requires without a read that a user is not erased. Otherwise the transaction ends with UserNotAllowedError. */
  requireNotErased(tenantId: string, userId: string, unit: UnitOfWork): void;
}

interface UserRepositoryDeps {
  model: Model<UserDocument>;
  box: Box;
  keys: Keys;
}

/** Nothing is written to an erased user that the erasure would have to remove again. */
const NOT_ERASED = { erasureRequestedAt: { $exists: false } } as const;

export function createUserRepository(dependencies: UserRepositoryDeps): UserRepository {
  const { model, box, keys } = dependencies;
  const identities = createIdentities(model, keys);
  return {
    identify: identities.identify,
    identifyRegistered: identities.identifyRegistered,
    hasReference: identities.hasReference,
    hold: async (tenantId, by, unit) => {
      const user = await identities.identify(tenantId, by, unit);
      if (user && !user.blocked) {
        // Once in a transaction is enough.
        await unit.once(`hold ${user.userId}`, async () =>
          unit.update(model, { filter: { _id: user.userId, tenantId }, update: { $inc: { holds: 1 } } }),
        );
      }
      return user;
    },
    requireUnblocked: (tenantId, userId, unit) =>
      unit.update(model, {
        filter: { _id: userId, tenantId, blocked: false },
        update: { $inc: { holds: 1 } },
        otherwise: () => new UserNotAllowedError(),
      }),
    tenantOf: async (userId) => (await model.findById(userId).select({ tenantId: 1 }).lean())?.tenantId,
    findBy: async (tenantId, by) => {
      const found = await model.findOne({ tenantId, ...keys.of(tenantId, by) }).lean();
      return found ? revealUser(box, found) : undefined;
    },
    findMany: async (tenantId, userIds) => {
      const found = await model.find({ _id: { $in: userIds }, tenantId }).lean();
      return new Map(found.map((user) => [user._id, revealUser(box, user)]));
    },
    findByPhones: (tenantId, phoneNumbers) => findByPhones(dependencies, tenantId, phoneNumbers),
    list: (tenantId, { filter, keys: wanted, order }, page) => {
      const registered = Object.assign({}, ...wanted.map((by) => keys.of(tenantId, by)));
      const found = { ...toStoredFilter(tenantId, filter), ...registered };
      return paginate(model, found, page, (user) => revealUser(box, user), order);
    },
    page: (tenantId, filter, page) =>
      readPage(model, toStoredFilter(tenantId, filter), page, (user) => revealUser(box, user)),
    insert: (user, unit) => {
      const document = seal(dependencies, user);
      identities.noteReference(document);
      unit.insert(model, [document]);
      return revealUser(box, document);
    },
    find: async (tenantId, userId, unit) => {
      const found = await identities.findOnce(tenantId, userId, unit);
      return found ? revealUser(box, found) : undefined;
    },
    requireNotErased: (tenantId, userId, unit) =>
      unit.update(model, {
        filter: { _id: userId, tenantId, ...NOT_ERASED },
        update: { $inc: { holds: 1 } },
        otherwise: () => new UserNotAllowedError(),
      }),
    setCipState: (user, state, unit, unless) => setCipState(dependencies, { user, state, unless }, unit),
    setBlock: (user, state, at, unit) => setBlock(dependencies, user, state, at, unit),
    setProfile: ({ tenantId, userId, at }, profile, unit) => {
      const sealed = box.seal(JSON.stringify(profile), profileContext(tenantId, userId));
      unit.update(model, {
        filter: { _id: userId, tenantId, ...NOT_ERASED },
        update: { $set: { profile: sealed, updatedAt: at } },
      });
    },
  };
}

function setCipState(
  { model, box }: UserRepositoryDeps,
  {
    user: { tenantId, userId, at },
    state,
    unless,
  }: { user: Changed; state: CipState; unless: CipStatus | undefined },
  unit: UnitOfWork,
): void {
  const { cipStatus, cipProvider, cipVerifiedAt, cipResult } = state;
  const sealed = cipResult && box.seal(JSON.stringify(cipResult), cipContext(tenantId, userId));
  const { kept, gone } = whole({ cipProvider, cipVerifiedAt, cipResult: sealed });
  unit.update(model, {
    filter: {
      _id: userId,
      tenantId,
      ...NOT_ERASED,
      ...(unless === undefined ? {} : { cipStatus: { $ne: unless } }),
    },
    update: { $set: { cipStatus, ...kept, updatedAt: at }, $unset: gone },
  });
}

function setBlock(
  { model, box }: UserRepositoryDeps,
  user: UserRecord,
  state: BlockState,
  at: Date,
  unit: UnitOfWork,
): UserRecord {
  const { tenantId, userId, blockedAt: _at, blockedReason: _reason, ...rest } = user;
  const { blocked, blockedAt, blockedReason } = state;
  const sealed =
    blockedReason === undefined ? undefined : box.seal(blockedReason, reasonContext(tenantId, userId));
  const { kept, gone } = whole({ blockedAt, blockedReason: sealed });
  const version = (user.version ?? 0) + 1;
  unit.update(model, {
    filter: { _id: userId, tenantId, blocked: user.blocked },
    update: { $set: { blocked, ...kept, version, updatedAt: at }, $unset: gone },
    otherwise: () => new Error(`User ${userId} changed within the transaction that read it`),
  });
  return { ...rest, ...state, tenantId, userId, version, updatedAt: at };
}

/** Splits fields that are set together into those with a value and those to remove. */
function whole(fields: Readonly<Record<string, unknown>>): { kept: object; gone: Record<string, ''> } {
  const given = Object.entries(fields);
  return {
    kept: Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    gone: Object.fromEntries(given.flatMap(([field, value]) => (value === undefined ? [[field, '']] : []))),
  };
}

async function findByPhones(
  { model, box, keys }: UserRepositoryDeps,
  tenantId: string,
  phoneNumbers: readonly string[],
): Promise<Map<string, UserRecord>> {
  const numbers = new Map(phoneNumbers.map((number) => [keys.phone(tenantId, number), number]));
  const found = await model.find({ tenantId, phoneKey: { $in: [...numbers.keys()] } }).lean();
  return new Map(found.map((user) => [numbers.get(user.phoneKey ?? '') ?? '', revealUser(box, user)]));
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

/** The record of a stored user. */
export function revealUser(box: Box, document: UserDocument): UserRecord {
  const { _id: userId, profile, phoneKey: _phone, emailKey: _email, holds: _holds, ...rest } = document;
  const { cipResult, blockedReason, erasureReason, isErasing: _isErasing, ...user } = rest;
  const { tenantId } = user;
  const open = (sealed: StoredBytes, context: string) => box.open(toBuffer(sealed), context).toString();
  return {
    ...user,
    ...(cipResult && { cipResult: JSON.parse(open(cipResult, cipContext(tenantId, userId))) }),
    ...(blockedReason && { blockedReason: open(blockedReason, reasonContext(tenantId, userId)) }),
    ...(erasureReason && { erasureReason: open(erasureReason, erasureContext(tenantId, userId)) }),
    userId,
    // Values that `seal` and `setProfile` sealed.
    profile: JSON.parse(open(profile, profileContext(tenantId, userId))),
  };
}

/** The context that the profile of a user is sealed with. */
export function profileContext(tenantId: string, userId: string): string {
  return `${tenantId}|profile|${userId}`;
}

function cipContext(tenantId: string, userId: string): string {
  return `${tenantId}|cipResult|${userId}`;
}

/** The context that the reason of an erasure is sealed with. */
export function erasureContext(tenantId: string, userId: string): string {
  return `${tenantId}|erasureReason|${userId}`;
}

function reasonContext(tenantId: string, userId: string): string {
  return `${tenantId}|blockedReason|${userId}`;
}
