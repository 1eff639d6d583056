import type { Model } from 'mongoose';
import type { AccountId } from '../../kernel/account.ts';
import { createBoundedCache } from '../../kernel/bounded-cache.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import { findPlain } from '../../kernel/database/plain-reads.ts';
import { shareReads } from '../../kernel/database/shared-reads.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { AccountState, PersonKey } from '../user.ts';
import type { Keys } from './keys.ts';
import type { UserDocument } from './model.ts';

/** The keys that identify a user within its tenant. */
export type UserKey = { userId: string } | { referenceId: string } | PersonKey;

/** Finds which of an account's users somebody is, and whether they are blocked. */
export interface Identities {
  /** By reference or id, outside of transactions: calls of one turn share a read. */
  identify(accountId: AccountId, by: UserKey, unit?: UnitOfWork): Promise<AccountState | undefined>;
  /** The registered users with the phone number and, if given, the email, by one read; often the same user. */
  identifyRegistered(
    accountId: AccountId,
    by: { phoneNumber: string; email?: string },
    unit: UnitOfWork,
  ): Promise<{ byPhone: AccountState | undefined; byEmail: AccountState | undefined }>;
  /** A user as it was when the transaction began. */
  findOnce(accountId: AccountId, userId: string, unit: UnitOfWork): Promise<UserDocument | null>;
  /** It is not read again when it is known: a user has a reference from the beginning, or never. */
  hasReference(accountId: AccountId, userId: string, unit: UnitOfWork): Promise<boolean>;
  /** Remembers whether a new user has a reference. */
  noteReference(user: Identity): void;
}

/** The fields that are read to identify users. */
const IDENTITY = { accountId: 1, referenceId: 1, blocked: 1, erasureRequestedAt: 1 } as const;
type Identity = Pick<UserDocument, '_id' | keyof typeof IDENTITY>;

const MOST_REFERENCES = 50_000;

interface Deps {
  readonly model: Model<UserDocument>;
  readonly keys: Keys;
  /** Whether users have a reference, as far as it is known, by account and user. */
  readonly references: Pick<ReturnType<typeof createBoundedCache<boolean>>, 'get' | 'set'>;
  lookUp(accountId: AccountId, referenceId: string): Promise<Identity | undefined>;
  lookUpById(accountId: AccountId, userId: string): Promise<Identity | undefined>;
}

export function createIdentities(model: Model<UserDocument>, keys: Keys): Identities {
  const deps: Deps = {
    model,
    keys,
    references: createBoundedCache<boolean>(MOST_REFERENCES),
    lookUp: shareReads((accountId, referenceIds) => readByReferences(model, accountId, referenceIds)),
    lookUpById: shareReads((accountId, userIds) => readByIds(model, accountId, userIds)),
  };
  return {
    identify: async (accountId, by, unit) => {
      const found = await findIdentity(deps, accountId, by, unit);
      return found ? toAccountState(deps, found) : undefined;
    },
    identifyRegistered: (accountId, by, unit) => identifyRegistered(deps, accountId, by, unit),
    findOnce: (accountId, userId, unit) => findOnce(deps, accountId, userId, unit),
    hasReference: async (accountId, userId, unit) =>
      deps.references.get(referenceKey(accountId, userId)) ??
      (await findOnce(deps, accountId, userId, unit))?.referenceId !== undefined,
    noteReference: (user) => noteReference(deps, user),
  };
}

/** The condition that finds a user, besides the account. */
function fieldOf(keys: Keys, accountId: AccountId, by: UserKey): object {
  if ('userId' in by) {
    return { _id: by.userId };
  }
  return 'referenceId' in by ? by : keys.of(accountId, by);
}

function toAccountState(deps: Deps, user: Identity): AccountState {
  noteReference(deps, user);
  const { _id: userId, blocked, erasureRequestedAt } = user;
  return { userId, blocked, ...(erasureRequestedAt && { isErased: true }) };
}

async function findIdentity(
  deps: Deps,
  accountId: AccountId,
  by: UserKey,
  unit: UnitOfWork | undefined,
): Promise<Identity | null | undefined> {
  if (unit === undefined && 'referenceId' in by) {
    return deps.lookUp(accountId, by.referenceId);
  }
  if ('userId' in by) {
    return unit ? findOnce(deps, accountId, by.userId, unit) : deps.lookUpById(accountId, by.userId);
  }
  return deps.model
    .findOne({ accountId, ...fieldOf(deps.keys, accountId, by) })
    .select(IDENTITY)
    .session(unit?.session ?? null)
    .lean<Identity>();
}

async function readByReferences(
  model: Model<UserDocument>,
  accountId: AccountId,
  referenceIds: readonly string[],
): Promise<Map<string, Identity>> {
  const filter = withAnyOf(model, { accountId }, 'referenceId', referenceIds);
  const found: Identity[] = await findPlain(model, filter, { projection: IDENTITY });
  return new Map(found.map((user) => [user.referenceId ?? '', user]));
}

async function readByIds(
  model: Model<UserDocument>,
  accountId: AccountId,
  userIds: readonly string[],
): Promise<Map<string, Identity>> {
  const filter = { _id: { $in: userIds }, accountId };
  const found: Identity[] = await findPlain(model, filter, { projection: IDENTITY });
  return new Map(found.map((user) => [user._id, user]));
}

async function identifyRegistered(
  deps: Deps,
  accountId: AccountId,
  { phoneNumber, email }: { phoneNumber: string; email?: string },
  unit: UnitOfWork,
): ReturnType<Identities['identifyRegistered']> {
  const { model, keys } = deps;
  const phoneKey = keys.phone(accountId, phoneNumber);
  const emailKey = email === undefined ? undefined : keys.email(accountId, email);
  // Each alternative is one look into an index.
  const $or = [{ accountId, phoneKey }, ...(emailKey === undefined ? [] : [{ accountId, emailKey }])];
  const projection = { ...IDENTITY, phoneKey: 1, emailKey: 1 } as const;
  const found: (Identity & Pick<UserDocument, 'phoneKey' | 'emailKey'>)[] = await findPlain(
    model,
    { $or },
    { projection, session: unit.session },
  );
  const byPhone = found.find((user) => user.phoneKey === phoneKey);
  const byEmail = emailKey === undefined ? undefined : found.find((user) => user.emailKey === emailKey);
  return {
    byPhone: byPhone && toAccountState(deps, byPhone),
    byEmail: byEmail && toAccountState(deps, byEmail),
  };
}

/** A user as it was when the transaction began. */
async function findOnce(
  deps: Deps,
  accountId: AccountId,
  userId: string,
  unit: UnitOfWork,
): Promise<UserDocument | null> {
  const found = await unit.once(`user ${accountId}|${userId}`, (session) =>
    deps.model.findOne({ _id: userId, accountId }).session(session).lean<UserDocument>().exec(),
  );
  if (found) {
    noteReference(deps, found);
  }
  return found;
}

function noteReference({ references }: Deps, { _id, accountId, referenceId }: Identity): void {
  references.set(referenceKey(accountId, _id), referenceId !== undefined);
}

function referenceKey(accountId: AccountId, userId: string): string {
  return `${accountId}|${userId}`;
}
