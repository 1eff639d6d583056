import type { Box } from '../kernel/crypto/box.ts';
import { hashEntry, isSealed, NO_ENTRIES, type SealedEnd } from './chain.ts';
import { isSame, sumLines, unbalanced } from './chart.ts';
import type { ExportedEntry, ExportLine } from './export.ts';
import type { ChainEnd } from './store/model.ts';

/** A line of an export that does not agree with the others. */
interface Finding {
  readonly accountId: string;
  /** The number of the entry, or the day or the end of the chain. */
  readonly place: string;
  readonly text: string;
}

export interface Verification {
  readonly accounts: number;
  readonly entries: number;
  readonly findings: readonly Finding[];
}

/** Most findings that are kept: one more change shows nothing new. */
const MOST_FINDINGS = 10_000;

/** Where an account's chain stands while it is read. */
interface Chain {
  readonly accountId: string;
  end: ChainEnd;
  /** Whether the end of the chain is still to come. */
  isOpen: boolean;
}

/** The part of an export that was read so far. */
interface State {
  readonly findings: Finding[];
  readonly accounts: Set<string>;
  entries: number;
  chain: Chain | undefined;
}

/** An end of a day or of a chain in an earlier export. */
export interface EarlierEnd extends Pick<ChainEnd, 'number' | 'hash'> {
  readonly accountId: string;
}

/** Reads an export line by line. */
interface Verifier {
  read(line: ExportLine): void;
  /** To be called behind the last line. */
  finish(): Verification;
}

/**
 * Verifies an export without the database. It finds each entry that was changed, removed, inserted or moved: by its hash or the
 * hash of the next one, by its number, or by the seals of the days and of the end, which nobody can make without `ENCRYPTION_KEY`.
 * @param earlier the ends in an earlier export: they show that the database was not set back to an older state
 */
export function createVerifier(box: Box, earlier: readonly EarlierEnd[] = []): Verifier {
  const state: State = { findings: [], accounts: new Set(), entries: 0, chain: undefined };
  const unseen = new Map(earlier.map((end) => [placeOf(end.accountId, end.number), end]));
  return {
    read: (line) => {
      const { accountId, end } = readLine(state, line, box);
      const place = placeOf(accountId, end.number);
      const former = unseen.get(place);
      unseen.delete(place);
      if (former && former.hash !== end.hash) {
        report(state, accountId, `${end.number}`, 'differs from the earlier export');
      }
    },
    finish: () => {
      reportOpen(state);
      for (const { accountId, number } of unseen.values()) {
        report(state, accountId, `${number}`, 'was in the earlier export and is missing');
      }
      const { accounts, entries, findings } = state;
      return { accounts: accounts.size, entries, findings };
    },
  };
}

/** Verifies a whole export; see {@link createVerifier}. */
export async function verifyExport(
  lines: AsyncIterable<ExportLine>,
  box: Box,
  earlier?: readonly EarlierEnd[],
): Promise<Verification> {
  const verifier = createVerifier(box, earlier);
  for await (const line of lines) {
    verifier.read(line);
  }
  return verifier.finish();
}

function placeOf(accountId: string, number: number): string {
  return JSON.stringify([accountId, number]);
}

function report({ findings }: State, accountId: string, place: string, text: string): void {
  if (findings.length < MOST_FINDINGS) {
    findings.push({ accountId, place, text });
  }
}

function reportOpen(state: State): void {
  if (state.chain?.isOpen) {
    report(state, state.chain.accountId, 'end', 'is missing');
  }
}

function readLine(state: State, { type, value }: ExportLine, box: Box): Chain {
  const { accountId } = value;
  const chain = state.chain?.accountId === accountId ? state.chain : beginChain(state, accountId);
  if (type === 'entry') {
    state.entries += 1;
    chain.end = follow(chain.end, value, (text) => report(state, accountId, `${value.number}`, text));
  } else {
    const place = type === 'end' ? 'end' : value._id.slice(value._id.lastIndexOf('|') + 1);
    const end = { ...value, seal: Buffer.from(value.seal, 'base64') };
    checkEnd(type, chain, end, box, (text) => report(state, accountId, place, text));
  }
  return chain;
}

function beginChain(state: State, accountId: string): Chain {
  reportOpen(state);
  if (state.accounts.has(accountId)) {
    report(state, accountId, 'chain', 'is in two parts');
  }
  state.accounts.add(accountId);
  const chain = { accountId, end: NO_ENTRIES, isOpen: true };
  state.chain = chain;
  return chain;
}

/** The chain behind an entry, with the hash that the entry has, so that each change is found once. */
function follow(end: ChainEnd, entry: ExportedEntry, find: (text: string) => void): ChainEnd {
  const { number, hash, lines } = entry;
  if (number !== end.number + 1) {
    find(`follows ${end.number}: entries are missing, inserted or moved`);
  }
  const dates = { createdAt: new Date(entry.createdAt), bookedAt: new Date(entry.bookedAt) };
  if (hashEntry(end.hash, { ...entry, ...dates }) !== hash) {
    find('was changed, or the entry before it');
  }
  if (lines.length === 0 || unbalanced(lines).length > 0) {
    find('does not balance');
  }
  return { number, hash, balances: sumLines([...end.balances, ...lines]) };
}

function checkEnd(
  type: 'start' | 'day' | 'end',
  chain: Chain,
  end: SealedEnd,
  box: Box,
  find: (text: string) => void,
): void {
  if (!isSealed(box, end)) {
    find('has a seal that was not made for it by this ENCRYPTION_KEY');
  }
  if (type === 'start') {
    chain.end = end;
    return;
  }
  const { number, hash, balances } = chain.end;
  if (end.number !== number || end.hash !== hash) {
    find(`names entry ${end.number} as the last one, and it is entry ${number} or has another hash`);
  } else if (!isSame(balances, end.balances)) {
    find('has other balances than the entries add up to');
  }
  chain.isOpen = type !== 'end';
}

/** The ends of days and chains in an export, for {@link createVerifier} of a later one. */
export async function readEnds(lines: AsyncIterable<ExportLine>): Promise<EarlierEnd[]> {
  const ends: EarlierEnd[] = [];
  for await (const { type, value } of lines) {
    if (type !== 'entry' && value.number > 0) {
      const { accountId, number, hash } = value;
      ends.push({ accountId, number, hash });
    }
  }
  return ends;
}
