import type { AccountId } from '../../kernel/account.ts';
import type { AccountClock } from '../../kernel/clock/account-clock.ts';
import type { Box } from '../../kernel/crypto/box.ts';
import { isDuplicateKey, type RunTransaction } from '../../kernel/database/transaction.ts';
import { workThrough } from '../../kernel/work-through.ts';
import { NO_OPERATIONAL_EVENTS } from '../../partners/tenants/operational-events.ts';
import type { Tenant, Tenants } from '../../partners/tenants/service.ts';
import { STATEMENT_READY } from '../../webhook-events/statements.ts';
import { toDeliveries } from '../../webhooks/publisher.ts';
import type { WebhookQueue } from '../../webhooks/queue.ts';
import { isSealed, NO_ENTRIES, sealEnd } from '../chain.ts';
import { isSame } from '../chart.ts';
import type { LedgerModels } from '../store/model.ts';
import type { ClosingDocument, StatementDocument, StatementModels } from './model.ts';
import { closingOf, createMovementSums, movementsOf, statementsOf } from './movements.ts';
import { addDays, dayIn, monthOf, startOfDay } from './periods.ts';
import { type ReadDay, readDay } from './read-day.ts';

/** How long after its end a day is closed: time for changes that were about to be committed. */
const GRACE_MS = 60_000;
/** A day is not looked at before: the shortest usual one has 23 hours. One that a change of the zone made shorter is closed later. */
const SHORTEST_DAY_MS = 20 * 3_600_000;
/** Most days of an account in a turn: the others are not kept waiting by a sandbox that is far ahead. */
const MOST_DAYS = 50;
/** Accounts of a read. */
const AT_ONCE = 500;

export interface StatementsDeps {
  readonly models: LedgerModels & StatementModels;
  readonly tenants: Pick<Tenants, 'find'>;
  readonly queue: Pick<WebhookQueue, 'enqueue'>;
  readonly accountClock: AccountClock;
  readonly transaction: RunTransaction;
  /** Seals the ends of chains. */
  readonly box: Box;
}

/**
 * Closes the days that have ended in the time zones of their partners, and issues their statements, and those of ended months, with
 * their webhooks. Several processes may do it at once, and be killed: the statements of a day are stored together, once.
 * @returns how many statements were issued
 * @throws the first error, after the other accounts had their turn
 */
export async function issueStatements(deps: StatementsDeps, signal: AbortSignal): Promise<number> {
  let issued = 0;
  await workThrough(findDue(deps, signal), async (accountId) => {
    issued += await closeDays(deps, accountId, signal);
  });
  return issued;
}

/** The accounts whose next day may have ended. */
async function* findDue(
  { models: { heads, closings }, accountClock }: StatementsDeps,
  signal: AbortSignal,
): AsyncGenerator<AccountId> {
  let after: AccountId | undefined;
  for (let isMore = true; isMore && !signal.aborted; ) {
    const found = await heads
      .find(after === undefined ? {} : { _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(AT_ONCE)
      .select({ _id: 1 })
      .lean();
    const $in = found.map(({ _id }) => _id);
    const closed = await closings.find({ _id: { $in } }).select({ endsAt: 1 }).lean();
    const running = closed.filter(({ _id, endsAt }) => isRunning(endsAt, accountClock(_id)));
    const notDue = new Set(running.map(({ _id }) => _id));
    yield* $in.filter((accountId) => !notDue.has(accountId));
    after = $in.at(-1);
    isMore = found.length === AT_ONCE;
  }
}

/** Whether a day that began then goes on. */
function isRunning(from: Date, now: Date): boolean {
  return now.getTime() < from.getTime() + SHORTEST_DAY_MS;
}

async function closeDays(deps: StatementsDeps, accountId: AccountId, signal: AbortSignal): Promise<number> {
  let issued = 0;
  for (let days = 0; days < MOST_DAYS && !signal.aborted; days += 1) {
    const closed = await closeNextDay(deps, accountId, signal);
    if (closed === undefined) {
      break;
    }
    issued += closed;
  }
  return issued;
}

/** A day that has ended and is not closed yet. */
interface OpenDay {
  readonly tenant: Tenant;
  /** The day before. */
  readonly last: ClosingDocument;
  /** Whether `last` is stored: before the first day there is none. */
  readonly isStored: boolean;
  readonly day: string;
  readonly timeZone: string;
  readonly to: Date;
  readonly now: Date;
}

/** @returns how many statements were issued; undefined when no day has ended, or another process closes it */
async function closeNextDay(
  deps: StatementsDeps,
  accountId: AccountId,
  signal: AbortSignal,
): Promise<number | undefined> {
  const open = await findEndedDay(deps, accountId);
  if (open === undefined) {
    return undefined;
  }
  const { last, isStored, to } = open;
  try {
    await keepOut(deps, accountId, to);
    const read = await readDay(deps, last, to, signal);
    return read && (await store(deps, open, read));
  } catch (error) {
    if (isDuplicateKey(error)) {
      // A process that was faster has moved the end. If it is as it was read, the day was closed before.
      const end = await deps.models.closings.findById(accountId).lean();
      if (end?.day === (isStored ? last.day : undefined)) {
        throw new Error(`Somebody has changed the end of the statements of ${accountId}: none is issued`);
      }
    } else if (!(error instanceof OvertakenError)) {
      throw error;
    }
    return undefined;
  }
}

async function findEndedDay(
  { models, tenants, accountClock }: StatementsDeps,
  accountId: AccountId,
): Promise<OpenDay | undefined> {
  const now = accountClock(accountId);
  const stored = await models.closings.findById(accountId).lean();
  if (stored && isRunning(stored.endsAt, now)) {
    return undefined;
  }
  const tenant = await tenants.find(accountId);
  if (tenant === undefined) {
    return undefined;
  }
  const { timeZone } = tenant.operationalEvents ?? NO_OPERATIONAL_EVENTS;
  const last = stored ?? (await beforeFirstDay(models, accountId, timeZone));
  if (last === undefined) {
    return undefined;
  }
  const day = addDays(last.day, 1);
  const end = startOfDay(addDays(day, 1), timeZone);
  // A zone that was changed may have ended the day already: then it is empty.
  const to = new Date(Math.max(end.getTime(), last.endsAt.getTime()));
  const hasEnded = now.getTime() >= to.getTime() + GRACE_MS && !(await isWaited(models, accountId, to));
  return hasEnded ? { tenant, last, isStored: stored !== null, day, timeZone, to, now } : undefined;
}

/** The beginning of statements: the day before that of the first entry. */
async function beforeFirstDay(
  { entries }: LedgerModels,
  accountId: AccountId,
  timeZone: string,
): Promise<ClosingDocument | undefined> {
  const first = await entries.findOne({ accountId, number: 1 }).lean();
  if (first?.bookedAt === undefined) {
    return undefined;
  }
  const day = dayIn(first.bookedAt, timeZone);
  const endsAt = startOfDay(day, timeZone);
  const { number, hash, balances } = NO_ENTRIES;
  const start = { number, hash, balances };
  return {
    _id: accountId,
    accountId,
    day: addDays(day, -1),
    endsAt,
    month: { ...start, from: endsAt },
    ...start,
  };
}

/** Whether an entry of a change before a time has no place in the chain yet. */
async function isWaited({ entries }: LedgerModels, accountId: AccountId, before: Date): Promise<boolean> {
  return (await entries.exists({ pending: true, accountId, createdAt: { $lt: before } })) !== null;
}

/**
 * Has entries that are sealed from now on count at a time or later, though their change was before it. A sealing at the same time
 * has read the former end of the chain, and begins again.
 * @throws OvertakenError when a sealing was faster
 */
function keepOut({ models, box, transaction }: StatementsDeps, _id: AccountId, to: Date): Promise<void> {
  return transaction(async (unit) => {
    const head = await models.heads.findById(_id).session(unit.session).lean();
    if (head && !isSealed(box, head)) {
      throw new Error(`Somebody has changed the end of the journal of ${_id}: no statement is issued`);
    }
    if (!head || head.bookedAt >= to) {
      return;
    }
    const { number, seq, bookedAt } = head;
    const seal = sealEnd(box, { ...head, bookedAt: to });
    unit.update(models.heads, {
      filter: { _id, number, seq, bookedAt },
      update: { $set: { bookedAt: to, seal } },
      otherwise: () => new OvertakenError(),
    });
  });
}

/** Another process has closed the day or sealed entries, or a reset has removed the journal: nothing is written. */
class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

async function store(deps: StatementsDeps, open: OpenDay, read: ReadDay): Promise<number> {
  const { models, queue, transaction } = deps;
  const { tenant, last, isStored, day, to, now } = open;
  const { accountId } = last;
  const month =
    monthOf(last.day) === monthOf(day)
      ? last.month
      : { from: last.endsAt, number: last.number, hash: last.hash, balances: last.balances };
  const statements = await draw(models, open, read, month);
  const closing: ClosingDocument = { _id: accountId, accountId, ...read.end, day, endsAt: to, month };
  const events = statements.map((statement) => STATEMENT_READY.of(statement));
  const otherwise = () => new OvertakenError();
  await transaction((unit) => {
    if (isStored) {
      const filter = { _id: accountId, day: last.day, number: last.number };
      unit.update(models.closings, { filter, update: { $set: closing }, otherwise });
    } else {
      unit.insert(models.closings, [closing]);
    }
    const isThere = { _id: accountId, bookedAt: { $gte: to } };
    unit.update(models.heads, { filter: isThere, update: { $set: { accountId } }, otherwise });
    if (statements.length > 0) {
      unit.insert(models.statements, statements);
      queue.enqueue(toDeliveries(tenant, events, now), unit);
    }
  });
  return statements.length;
}

/** The statements of a day, and those of its month if it is the last one. */
async function draw(
  { statements }: StatementModels,
  { last, day, timeZone, to, now: createdAt }: OpenDay,
  { end, movements }: ReadDay,
  month: ClosingDocument['month'],
): Promise<StatementDocument[]> {
  const { accountId } = last;
  const common = { accountId, timeZone, to, createdAt, closing: end };
  const ofDay = statementsOf({
    ...common,
    period: 'day',
    name: day,
    from: last.endsAt,
    opening: last,
    movements,
  });
  const name = monthOf(day);
  if (monthOf(addDays(day, 1)) === name) {
    return ofDay;
  }
  const prefix = `${accountId}|${name}`;
  // The character after `-` is `.`.
  const earlier = await statements
    .find({ _id: { $gte: `${prefix}-`, $lt: `${prefix}.` }, accountId, period: 'day' })
    .lean<StatementDocument[]>();
  const sums = createMovementSums();
  for (const movement of [...earlier, ...ofDay].flatMap(movementsOf)) {
    sums.add(movement);
  }
  if (!isSame(closingOf(month.balances, sums.all()), end.balances)) {
    throw new Error(`Somebody has changed the statements of ${accountId}: none is issued for ${name}`);
  }
  const ofMonth = statementsOf({
    ...common,
    period: 'month',
    name,
    from: month.from,
    opening: month,
    movements: sums.all(),
  });
  return [...ofDay, ...ofMonth];
}
