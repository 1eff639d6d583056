import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type NumberedPage, type PageNumber, readPage } from '../../graph/numbered-page.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { newId } from '../../kernel/database/ids.ts';
import type { UniqueValue, UniqueValues } from '../../kernel/database/unique-values.ts';
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
import { findByName, nameKeysOf } from './names.ts';

/** A user to store. Registered users are found by their phone number and email, which no other user has. */
interface NewUser {
  accountId: AccountId;
  referenceId?: string;
  profile: UserProfile;
  isRegistered: boolean;
  at: Date;
}

/** The changed user, and the time. */
interface Changed {
  readonly accountId: AccountId;
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
  hold(accountId: AccountId, by: UserKey, unit: UnitOfWork): Promise<AccountState | undefined>;
  /** As {@link hold}, without a read: ends the transaction with UserNotAllowedError when the user is blocked or missing. */
  requireUnblocked(accountId: AccountId, userId: string, unit: UnitOfWork): void;
  /** The account of a user. */
  accountOf(userId: string): Promise<AccountId | undefined>;
  findBy(accountId: AccountId, by: PersonKey): Promise<UserRecord | undefined>;
  findMany(accountId: AccountId, userIds: readonly string[]): Promise<Map<string, UserRecord>>;
  /** By phone number, as many as there are. */
  findByPhones(accountId: AccountId, phoneNumbers: readonly string[]): Promise<Map<string, UserRecord>>;
  /**
   * Ids of users whose names have all of these words, newest first, at most `most`. For several words, it looks at the newest
   * 10,000 users that have the longest of them, which is usually the rarest.
   */
  findByName(accountId: AccountId, words: readonly string[], most: number): Promise<string[]>;
  list(accountId: AccountId, listing: Listing, page: Page): Promise<Connection<UserRecord>>;
  /** A page by number, newest first. */
  page(accountId: AccountId, filter: UserFilter, page: PageNumber): Promise<NumberedPage<UserRecord>>;
  /** @throws a duplicate key error when there is one with this reference, phone number or email */
  insert(user: NewUser, unit: UnitOfWork): UserRecord;
  find(accountId: AccountId, userId: string, unit: UnitOfWork): Promise<UserRecord | undefined>;
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
  requireNotErased(accountId: AccountId, userId: string, unit: UnitOfWork): void;
}

interface UserRepositoryDeps {
  model: Model<UserDocument>;
  unique: Pick<UniqueValues, 'take'>;
  box: Box;
  keys: Keys;
}

/** Nothing is written to an erased user that the erasure would have to remove again. */
const NOT_ERASED = { erasureRequestedAt: { $exists: false } } as const;

export function createUserRepository(dependencies: UserRepositoryDeps): UserRepository {
  const { model, unique, box, keys } = dependencies;
  const identities = createIdentities(model, keys);
  return {
    identify: identities.identify,
    identifyRegistered: identities.identifyRegistered,
    hasReference: identities.hasReference,
    hold: async (accountId, by, unit) => {
      const user = await identities.identify(accountId, by, unit);
      if (user && !user.blocked) {
        // Once in a transaction is enough.
        await unit.once(`hold ${user.userId}`, async () =>
          unit.update(model, { filter: { _id: user.userId, accountId }, update: { $inc: { holds: 1 } } }),
        );
      }
      return user;
    },
    requireUnblocked: (accountId, userId, unit) =>
      unit.update(model, {
        filter: { _id: userId, accountId, blocked: false },
        update: { $inc: { holds: 1 } },
        otherwise: () => new UserNotAllowedError(),
      }),
    accountOf: async (userId) => (await model.findById(userId).select({ accountId: 1 }).lean())?.accountId,
    findBy: async (accountId, by) => {
      const found = await model.findOne({ accountId, ...keys.of(accountId, by) }).lean();
      return found ? revealUser(box, found) : undefined;
    },
    findMany: async (accountId, userIds) => {
      const found = await model.find({ _id: { $in: userIds }, accountId }).lean();
      return new Map(found.map((user) => [user._id, revealUser(box, user)]));
    },
    findByPhones: (accountId, phoneNumbers) => findByPhones(dependencies, accountId, phoneNumbers),
    findByName: (accountId, words, most) => findByName(dependencies, accountId, words, most),
    list: (accountId, { filter, keys: wanted, order }, page) => {
      const registered = Object.assign({}, ...wanted.map((by) => keys.of(accountId, by)));
      const found = { ...toStoredFilter(accountId, filter), ...registered };
      return paginate(model, found, page, (user) => revealUser(box, user), order);
    },
    page: (accountId, filter, page) =>
      readPage(model, toStoredFilter(accountId, filter), page, (user) => revealUser(box, user)),
    insert: (user, unit) => {
      const document = seal(dependencies, user);
      identities.noteReference(document);
      unique.take(claimsOf(document), unit);
      unit.insert(model, [document]);
      return revealUser(box, document);
    },
    find: async (accountId, userId, unit) => {
      const found = await identities.findOnce(accountId, userId, unit);
      return found ? revealUser(box, found) : undefined;
    },
    requireNotErased: (accountId, userId, unit) =>
      unit.update(model, {
        filter: { _id: userId, accountId, ...NOT_ERASED },
        update: { $inc: { holds: 1 } },
        otherwise: () => new UserNotAllowedError(),
      }),
    setCipState: (user, state, unit, unless) => setCipState(dependencies, { user, state, unless }, unit),
    setBlock: (user, state, at, unit) => setBlock(dependencies, user, state, at, unit),
    setProfile: ({ accountId, userId, at }, profile, unit) => {
      const sealed = box.seal(JSON.stringify(profile), profileContext(accountId, userId));
      const { kept, gone } = whole(nameKeysOf(keys, accountId, profile));
      unit.update(model, {
        filter: { _id: userId, accountId, ...NOT_ERASED },
        update: { $set: { profile: sealed, ...kept, updatedAt: at }, $unset: gone },
      });
    },
  };
}

function setCipState(
  { model, box }: UserRepositoryDeps,
  {
    user: { accountId, userId, at },
    state,
    unless,
  }: { user: Changed; state: CipState; unless: CipStatus | undefined },
  unit: UnitOfWork,
): void {
  const { cipStatus, cipProvider, cipVerifiedAt, cipResult } = state;
  const sealed = cipResult && box.seal(JSON.stringify(cipResult), cipContext(accountId, userId));
  const { kept, gone } = whole({ cipProvider, cipVerifiedAt, cipResult: sealed });
  unit.update(model, {
    filter: {
      _id: userId,
      accountId,
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
  const { accountId, userId, blockedAt: _at, blockedReason: _reason, blockedBy: _by, ...rest } = user;
  const { blocked, blockedAt, blockedReason, blockedBy } = state;
  const sealed =
    blockedReason === undefined ? undefined : box.seal(blockedReason, reasonContext(accountId, userId));
  const { kept, gone } = whole({ blockedAt, blockedReason: sealed, blockedBy });
  const version = (user.version ?? 0) + 1;
  unit.update(model, {
    filter: { _id: userId, accountId, blocked: user.blocked },
    update: { $set: { blocked, ...kept, version, updatedAt: at }, $unset: gone },
    otherwise: () => new Error(`User ${userId} changed within the transaction that read it`),
  });
  return { ...rest, ...state, accountId, userId, version, updatedAt: at };
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
  accountId: AccountId,
  phoneNumbers: readonly string[],
): Promise<Map<string, UserRecord>> {
  const numbers = new Map(phoneNumbers.map((number) => [keys.phone(accountId, number), number]));
  const found = await model.find(withAnyOf(model, { accountId }, 'phoneKey', [...numbers.keys()])).lean();
  return new Map(found.map((user) => [numbers.get(user.phoneKey ?? '') ?? '', revealUser(box, user)]));
}

function seal({ box, keys }: UserRepositoryDeps, user: NewUser): UserDocument {
  const { accountId, referenceId, profile, isRegistered, at } = user;
  const userId = newId('usr_');
  const { phoneNumber, email } = isRegistered ? profile : {};
  return {
    _id: userId,
    accountId,
    ...(referenceId === undefined ? {} : { referenceId }),
    ...(phoneNumber === undefined ? {} : { phoneKey: keys.phone(accountId, phoneNumber) }),
    ...(email === undefined ? {} : { emailKey: keys.email(accountId, email) }),
    ...whole(nameKeysOf(keys, accountId, profile)).kept,
    profile: box.seal(JSON.stringify(profile), profileContext(accountId, userId)),
    cipStatus: 'pending',
    blocked: false,
    createdAt: at,
    updatedAt: at,
  };
}

/** The claims of a user: no other user of the account has the reference, the phone number or the email. */
export function claimsOf({
  accountId,
  referenceId,
  phoneKey,
  emailKey,
}: Pick<UserDocument, 'accountId' | 'referenceId' | 'phoneKey' | 'emailKey'>): UniqueValue[] {
  const values = { userReferenceId: referenceId, userPhone: phoneKey, userEmail: emailKey };
  return Object.entries(values).flatMap(([kind, value]) =>
    value === undefined ? [] : [{ accountId, kind, value }],
  );
}

/** The record of a stored user. */
export function revealUser(box: Box, document: UserDocument): UserRecord {
  const { _id: userId, profile, phoneKey: _phone, emailKey: _email, nameKeys: _names, ...others } = document;
  const { holds: _holds, ...rest } = others;
  const { cipResult, blockedReason, erasureReason, isErasing: _isErasing, ...user } = rest;
  const { accountId } = user;
  const open = (sealed: StoredBytes, context: string) => box.open(toBuffer(sealed), context).toString();
  return {
    ...user,
    ...(cipResult && { cipResult: JSON.parse(open(cipResult, cipContext(accountId, userId))) }),
    ...(blockedReason && { blockedReason: open(blockedReason, reasonContext(accountId, userId)) }),
    ...(erasureReason && { erasureReason: open(erasureReason, erasureContext(accountId, userId)) }),
    userId,
    // Values that `seal` and `setProfile` sealed.
    profile: JSON.parse(open(profile, profileContext(accountId, userId))),
  };
}

/** The context that the profile of a user is sealed with. */
export function profileContext(accountId: AccountId, userId: string): string {
  return `${accountId}|profile|${userId}`;
}

function cipContext(accountId: AccountId, userId: string): string {
  return `${accountId}|cipResult|${userId}`;
}

/** The context that the reason of an erasure is sealed with. */
export function erasureContext(accountId: AccountId, userId: string): string {
  return `${accountId}|erasureReason|${userId}`;
}

function reasonContext(accountId: AccountId, userId: string): string {
  return `${accountId}|blockedReason|${userId}`;
}
