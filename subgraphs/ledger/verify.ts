import type { Box } from '../kernel/crypto/box.ts';
import { hashEntry, isSealed, NO_ENTRIES } from './chain.ts';
import { isBalanced, isSame, sumLines } from './chart.ts';
import type { ExportedEnd, ExportedEntry, ExportLine } from './export.ts';
import type { ChainEnd } from './store/model.ts';

/** A line of an export that does not agree with the others. */
interface Finding {
  readonly accountId: string;
  /** The number of the entry, or the day or the end of the chain. */
  readonly place: string;
  readonly text: string;
}

/** The findings in a part of an export. */
interface Verified {
  readonly entries: number;
  readonly findings: readonly Finding[];
}

/** Most entries of a part. */
const AT_ONCE = 1_000;

/** Where an account's chain stands while it is read. */
interface Chain {
  readonly accountId: string;
  readonly end: ChainEnd;
  /** Whether the last line was the end of the chain. */
  readonly isComplete: boolean;
}

interface Reader {
  readonly box: Box;
  readonly from: string | undefined;
  /** The accounts so far. */
  readonly seen: Set<string>;
  readonly find: (accountId: string, place: string, text: string) => void;
}

/**
 * Verifies an export without the database. It finds each entry that was changed, removed, inserted or moved: by its hash or the
 * hash of the next one, by its number, or by the seals of the days and of the end, which nobody can make without `ENCRYPTION_KEY`.
 * @param from the day with which the export begins, as {@link ExportRange} has it
 */
export async function* verifyExport(
  lines: AsyncIterable<ExportLine>,
  box: Box,
  from?: string,
): AsyncGenerator<Verified> {
  let part: { entries: number; findings: Finding[] } = { entries: 0, findings: [] };
  const find: Reader['find'] = (accountId, place, text) => part.findings.push({ accountId, place, text });
  const reader = { box, from, seen: new Set<string>(), find };
  let chain: Chain | undefined;
  for await (const line of lines) {
    chain = readLine(reader, chain, line);
    part.entries += line.type === 'entry' ? 1 : 0;
    if (part.entries === AT_ONCE || part.findings.length >= AT_ONCE) {
      yield part;
      part = { entries: 0, findings: [] };
    }
  }
  leave(reader, chain);
  yield part;
}

function readLine(reader: Reader, last: Chain | undefined, { type, value }: ExportLine): Chain {
  const { accountId } = value;
  const isFirst = last?.accountId !== accountId;
  const before = isFirst ? enter(reader, last, accountId) : last.end;
  const findAt = (place: string) => (text: string) => reader.find(accountId, place, text);
  if (type === 'entry') {
    return { accountId, end: follow(before, value, findAt(`${value.number}`)), isComplete: false };
  }
  const isStart = type === 'start' && isFirst && reader.from !== undefined && value.day < reader.from;
  const find = findAt(type === 'end' ? 'end' : value.day);
  const end = checkEnd(isStart ? undefined : before, value, reader.box, find);
  return { accountId, end, isComplete: type === 'end' };
}

/** Begins with an account. @returns where its chain begins */
function enter(reader: Reader, last: Chain | undefined, accountId: string): ChainEnd {
  leave(reader, last);
  if (reader.seen.has(accountId)) {
    reader.find(accountId, 'chain', 'is in two parts');
  }
  reader.seen.add(accountId);
  return NO_ENTRIES;
}

/** Behind the last line of an account. */
function leave({ find }: Reader, chain: Chain | undefined): void {
  if (chain && !chain.isComplete) {
    find(chain.accountId, 'end', 'is missing');
  }
}

type Find = (text: string) => void;

/** The chain behind an entry, with the hash that the entry has, so that each change is found once. */
function follow(before: ChainEnd, entry: ExportedEntry, find: Find): ChainEnd {
  const { number, hash, lines } = entry;
  if (number !== before.number + 1) {
    find(`follows ${before.number}: entries are missing, inserted or moved`);
  }
  const dates = { createdAt: new Date(entry.createdAt), bookedAt: new Date(entry.bookedAt) };
  if (hashEntry(before.hash, { ...entry, ...dates }) !== hash) {
    find('was changed, or the entry before it');
  }
  if (!isBalanced(lines)) {
    find('does not balance');
    return { number, hash, bookedAt: dates.bookedAt, balances: before.balances };
  }
  return { number, hash, bookedAt: dates.bookedAt, balances: sumLines([...before.balances, ...lines]) };
}

/** @param before where the chain stands, undefined at the start of an export that begins with a day @returns where it stands then */
function checkEnd(before: ChainEnd | undefined, exported: ExportedEnd, box: Box, find: Find): ChainEnd {
  const seal = Buffer.from(exported.seal, 'base64');
  const end = { ...exported, bookedAt: new Date(exported.bookedAt), seal };
  const isGenuine = isSealed(box, end);
  if (!isGenuine) {
    find('has a seal that was not made for it by this ENCRYPTION_KEY');
  }
  if (before === undefined) {
    return isGenuine ? end : { ...end, balances: [] };
  }
  if (end.number !== before.number || end.hash !== before.hash) {
    find(`names entry ${end.number} as the last one, and it is entry ${before.number} or has another hash`);
  } else if (isGenuine && !isSame(before.balances, end.balances)) {
    find('has other balances than the entries add up to');
  }
  return before;
}
