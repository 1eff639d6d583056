import type { Model } from 'mongoose';
import type { Connection } from '../../graph/connection.ts';
import { type NumberedPage, type PageNumber, readPage } from '../../graph/numbered-page.ts';
import { type Page, paginate } from '../../graph/paginate.ts';
import type { AccountId } from '../../kernel/account.ts';
import { type StoredBytes, toBuffer } from '../../kernel/binary.ts';
import type { Expired } from '../../kernel/clock/account-clock.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { withAnyOf } from '../../kernel/database/any-of.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { updateEach } from '../../kernel/database/update-each.ts';
import { omit, recordOf, withoutUndefined } from '../../kernel/objects.ts';
import { ATTACHED_FIELDS, type Attached } from '../attached.ts';
import type { Link, LinkFlow } from '../link.ts';
import {
  dueAt,
  type LinkFilter,
  type Listing,
  type StoredFilter,
  toStoredFilter,
  withDue,
} from './listing.ts';
import type { LinkDocument } from './model.ts';

/** The fields that a change may set, besides the version and the time. */
export type LinkChanges = Partial<
  Pick<Link, 'status' | 'visibility' | 'openedAt' | 'revokedAt' | 'userData' | 'hasImage' | 'operationId'>
>;

/** A link before and after one change. */
interface Move {
  readonly before: Link;
  readonly after: Link;
  readonly changes: LinkChanges;
}

/** Which link: of one tenant, or of any tenant for the platform's own back end. */
export interface LinkKey {
  readonly accountId?: AccountId;
  readonly linkId: string;
}

/** Reads and writes links. It seals the personal part when it writes, and opens it when it reads. */
export interface LinkRepository {
  exists(accountId: AccountId, linkId: string): Promise<boolean>;
  /** The account among some that has the link; none, or one. */
  having(accountIds: readonly AccountId[], linkId: string): Promise<AccountId[]>;
  find(key: LinkKey, unit: UnitOfWork): Promise<Link | undefined>;
  /** Finds a link by id; in a transaction, when a unit of work is given. */
  findMany(accountId: AccountId, linkIds: readonly string[], unit?: UnitOfWork): Promise<Map<string, Link>>;
  findByOperations(accountId: AccountId, operationIds: readonly string[]): Promise<Map<string, Link>>;
  /** The user's links that are neither revoked nor expired at `at`. */
  findUsable(user: { accountId: AccountId; userId: string }, at: Date, unit: UnitOfWork): Promise<Link[]>;
  /** The newest of these links with one of the flows and without an operation. */
  findUnused(
    user: { accountId: AccountId; userId: string; flows: readonly LinkFlow[] },
    at: Date,
    unit: UnitOfWork,
  ): Promise<Link | undefined>;
  /** A list at `now`: links past their time count as expired, whether or not they are marked yet. */
  list(accountId: AccountId, listing: Listing, now: Date, page: Page): Promise<Connection<Link>>;
  /** A page by number, newest first, at `now`. */
  page(accountId: AccountId, filter: LinkFilter, now: Date, page: PageNumber): Promise<NumberedPage<Link>>;
  insert(link: Link, unit: UnitOfWork): Promise<void>;
  /** @throws when a link has changed since it was read outside of the transaction */
  move(moves: readonly Move[], unit: UnitOfWork): Promise<void>;
  /** Marks links that have expired. @returns how many it marked */
  markExpired(expired: Expired): Promise<number>;
}

interface LinkRepositoryDeps {
  model: Model<LinkDocument>;
  box: Box;
}

export function createLinkRepository({ model, box }: LinkRepositoryDeps): LinkRepository {
  const present = (document: LinkDocument) => reveal(box, document);
  const usable = (at: Date) => ({ visibility: 'active' as const, expiresAt: { $gt: at } });
  return {
    exists: async (accountId, linkId) => (await model.exists({ _id: linkId, accountId })) !== null,
    having: async (accountIds, linkId) => {
      const found = await model
        .find({ _id: linkId, accountId: { $in: [...accountIds] } })
        .select({ accountId: 1 })
        .lean();
      return found.map(({ accountId }) => accountId);
    },
    find: async ({ linkId, ...tenant }, unit) => {
      const found = await model
        .findOne({ _id: linkId, ...tenant })
        .session(unit.session)
        .lean();
      return found ? present(found) : undefined;
    },
    findMany: async (accountId, linkIds, unit) => {
      const found = await model
        .find({ _id: { $in: linkIds }, accountId })
        .session(unit?.session ?? null)
        .lean();
      return new Map(found.map((link) => [link._id, present(link)]));
    },
    findByOperations: async (accountId, operationIds) => {
      const found = await model.find(withAnyOf(model, { accountId }, 'operationId', operationIds)).lean();
      return new Map(found.map((link) => [link.operationId ?? '', present(link)]));
    },
    findUsable: async ({ accountId, userId }, at, unit) => {
      const found = await model
        .find({ accountId, userId, ...usable(at) })
        .session(unit.session)
        .lean();
      return found.map(present);
    },
    findUnused: async ({ accountId, userId, flows }, at, unit) => {
      const found = await model
        .findOne({ accountId, userId, flow: { $in: flows }, operationId: { $exists: false }, ...usable(at) })
        .sort({ createdAt: -1, _id: -1 })
        .session(unit.session)
        .lean();
      return found ? present(found) : undefined;
    },
    list: async (accountId, { filter, order }, now, page) =>
      paginate(model, { ...(await asOf(model, filter, now)), accountId }, page, present, order),
    page: async (accountId, filter, now, page) =>
      readPage(model, { ...(await asOf(model, filter, now)), accountId }, page, present),
    insert: async (link, unit) => {
      await model.insertMany([seal(box, link)], { session: unit.session });
    },
    move: (moves, unit) => move({ model, box }, moves, unit),
    markExpired: (expired) => markExpired(model, expired),
  };
}

async function move(
  { model, box }: LinkRepositoryDeps,
  moves: readonly Move[],
  unit: UnitOfWork,
): Promise<void> {
  const writes = moves.map(({ before, after, changes: { userData, ...plain } }) => ({
    updateOne: {
      filter: { _id: before.linkId, accountId: before.accountId, version: before.version },
      update: {
        $set: {
          ...plain,
          ...(userData === undefined ? {} : sealUserData(box, after)),
          version: after.version,
          updatedAt: after.updatedAt,
        },
      },
    },
  }));
  const { matchedCount } = await model.bulkWrite(writes, { session: unit.session });
  if (matchedCount !== moves.length) {
    throw new Error('A link changed within the transaction that read it');
  }
}

/** The query of a filter at `now`. The job that marks expired links may not have reached all of them. */
async function asOf(model: Model<LinkDocument>, filter: LinkFilter, now: Date): Promise<StoredFilter> {
  const stored = toStoredFilter(filter);
  const { visibility } = filter;
  return visibility === undefined || (await model.exists(dueAt(now))) === null
    ? stored
    : withDue(stored, visibility, now);
}

/** Most links that one command marks. */
const MARKED_AT_ONCE = 500;
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const;

async function markExpired(model: Model<LinkDocument>, { at, ...account }: Expired): Promise<number> {
  const due = { ...account, ...dueAt(at) };
  // The index by time has the links of all accounts: an account that is ahead would read those that are not due yet.
  const order = account.accountId === undefined ? {} : NEWEST_FIRST;
  let marked = 0;
  for (;;) {
    const found = await model.find(due).sort(order).select({ accountId: 1 }).limit(MARKED_AT_ONCE).lean();
    const places = found.map(({ _id, accountId }) => ({ _id, accountId }));
    marked += await updateEach(model, places, due, { $set: { visibility: 'expired' } });
    if (places.length < MARKED_AT_ONCE) {
      return marked;
    }
  }
}

function seal(box: Box, { linkId, userData, attached, ...base }: Link): LinkDocument {
  const { accountId } = base;
  const sealed = recordOf(ATTACHED_FIELDS, (field) => {
    const value = attached[field];
    return value === undefined
      ? undefined
      : box.seal(JSON.stringify(value), context(accountId, field, linkId));
  });
  return {
    ...base,
    _id: linkId,
    ...sealUserData(box, { linkId, userData, accountId }),
    ...withoutUndefined(sealed),
  };
}

function sealUserData(
  box: Box,
  { accountId, linkId, userData }: Pick<Link, 'accountId' | 'linkId' | 'userData'>,
) {
  const isEmpty = Object.keys(userData).length === 0;
  return isEmpty
    ? {}
    : { userData: box.seal(JSON.stringify(userData), context(accountId, 'userData', linkId)) };
}

function reveal(box: Box, document: LinkDocument): Link {
  const { _id: linkId, userData, ...base } = omit(document, ATTACHED_FIELDS);
  // Values that `seal` and `move` sealed.
  const open = (sealed: StoredBytes, field: 'userData' | keyof Attached) =>
    JSON.parse(box.open(toBuffer(sealed), context(base.accountId, field, linkId)).toString());
  const attached = recordOf(ATTACHED_FIELDS, (field) => document[field] && open(document[field], field));
  return {
    ...base,
    linkId,
    userData: userData ? open(userData, 'userData') : {},
    attached: withoutUndefined(attached),
  };
}

function context(accountId: AccountId, field: string, linkId: string): string {
  return `${accountId}|${field}|${linkId}`;
}
