import type { AccountId } from '../kernel/account.ts';
import { toBuffer } from '../kernel/binary.ts';
import type { DayDocument, HeadDocument, LedgerModels, SealedEntry } from './store/model.ts';

/** Dates as ISO texts, and seals in base64. */
type InJson<T> = {
  readonly [Field in keyof T]: Field extends 'createdAt' | 'bookedAt' | 'seal' ? string : T[Field];
};

/** An entry in an export. */
export type ExportedEntry = InJson<SealedEntry>;

/** The end of a day or of a chain in an export. */
export type ExportedEnd = InJson<DayDocument> | InJson<HeadDocument>;

/**
 * A line of an export. For each account: the end of the day before, if the export begins with a day; then its entries in order,
 * each day followed by its end; then the end of the chain.
 */
export type ExportLine =
  | { readonly type: 'start' | 'day'; readonly value: InJson<DayDocument> }
  | { readonly type: 'entry'; readonly value: ExportedEntry }
  | { readonly type: 'end'; readonly value: InJson<HeadDocument> };

/** Which part of the journal. */
export interface ExportRange {
  /** Default: all accounts. */
  readonly accountId?: AccountId | undefined;
  /** The first day, `YYYY-MM-DD` in UTC. Default: from the first entry. */
  readonly from?: string | undefined;
}

const AT_ONCE = 500;

/**
 * The lines of an export: the sealed entries at the moment when each account is begun. It reads in batches, and calls for the next one
 * only when its reader is done with the last.
 */
export async function* exportJournal(models: LedgerModels, range: ExportRange): AsyncGenerator<ExportLine> {
  if (range.accountId !== undefined) {
    yield* exportAccount(models, range.accountId, range.from);
    return;
  }
  for (let id = await nextAccount(models, ''); id !== undefined; id = await nextAccount(models, id)) {
    yield* exportAccount(models, id, range.from);
  }
}

/** The next account by its id that has an end of its chain or of a day. One of them may have been removed by hand. */
async function nextAccount({ heads, days }: LedgerModels, after: string): Promise<AccountId | undefined> {
  const behind = { accountId: { $gt: after as AccountId } };
  const [head, day] = await Promise.all([
    heads.findOne({ _id: behind.accountId }).sort({ _id: 1 }).lean<HeadDocument>(),
    days.findOne(behind).sort({ accountId: 1, day: 1 }).lean<DayDocument>(),
  ]);
  return [head, day].flatMap((found) => found?.accountId ?? []).toSorted()[0];
}

async function* exportAccount(
  models: LedgerModels,
  accountId: AccountId,
  from: string | undefined,
): AsyncGenerator<ExportLine> {
  const start = from === undefined ? undefined : await findDay(models, accountId, { $lt: from }, -1);
  // Read after the start, which it is then not before.
  const head = await models.heads.findById(accountId).lean<HeadDocument>();
  const last = head?.number ?? Number.MAX_SAFE_INTEGER;
  if (start) {
    yield { type: 'start', value: inJson(start) };
  }
  let day = await findDay(models, accountId, { $gt: start?.day ?? '' }, 1);
  for await (const entry of readChain(models, accountId, start?.number ?? 0, last)) {
    for (; day && day.day < entry.day; day = await findDay(models, accountId, { $gt: day.day }, 1)) {
      yield { type: 'day', value: inJson(day) };
    }
    yield { type: 'entry', value: inJson(entry) };
  }
  // A day that goes on has no end: that of the chain stands for it. Later days are of entries behind this export.
  for (; day && day.number <= last; day = await findDay(models, accountId, { $gt: day.day }, 1)) {
    yield { type: 'day', value: inJson(day) };
  }
  if (head) {
    yield { type: 'end', value: inJson(head) };
  }
}

/** The sealed entries of an account behind a number, up to another one, read by ranges of numbers: a gap does not end them. */
export async function* readChain(
  { entries }: LedgerModels,
  accountId: AccountId,
  after: number,
  last: number,
): AsyncGenerator<SealedEntry> {
  const read = ($gt: number, $lte: number) =>
    entries.find({ accountId, number: { $gt, $lte } }).sort({ number: 1 }).lean<SealedEntry[]>();
  for (let number = after; number < last; ) {
    const end = Math.min(number + AT_ONCE, last);
    const found = await read(number, end);
    yield* found;
    number = end;
    if (found.length === 0) {
      // The chain is over, or somebody has removed entries.
      const [next] = await read(end, last).limit(1);
      number = next ? next.number - 1 : last;
    }
  }
}

/** The end of the first day (1) or the last day (-1) of a range that has one. */
export async function findDay(
  { days }: LedgerModels,
  accountId: AccountId,
  day: { readonly $lt: string } | { readonly $gt: string } | { readonly $gte: string },
  direction: 1 | -1,
): Promise<DayDocument | undefined> {
  return (await days.findOne({ accountId, day }).sort({ day: direction }).lean<DayDocument>()) ?? undefined;
}

function inJson<T extends object>(document: T): InJson<T> {
  const fields = Object.entries(document).map(([name, value]) => [
    name,
    value instanceof Date
      ? value.toISOString()
      : name === 'seal'
        ? toBuffer(value).toString('base64')
        : value,
  ]);
  return Object.fromEntries(fields);
}
