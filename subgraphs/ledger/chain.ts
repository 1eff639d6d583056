import { createHash } from 'node:crypto';
import { type StoredBytes, toBuffer } from '../kernel/binary.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { sumLines } from './chart.ts';
import type { ChainEnd, EntryDocument, SealedEntry } from './store/model.ts';

/** The hash before the first entry of every account. */
const ORIGIN = '0'.repeat(64);

/** The end of a chain without entries. */
export const NO_ENTRIES: ChainEnd = { number: 0, hash: ORIGIN, bookedAt: new Date(0), balances: [] };

/**
 * The hash of an entry: SHA-256 of a JSON array with the hash before it and every field of the entry. Its form is part of the
 * stored data and must not change; `chain.test.ts` has a known answer.
 */
export function hashEntry(before: string, entry: Omit<SealedEntry, 'hash'>): string {
  const { _id, accountId, entity, entityId, version, kind, lines, createdAt, number, bookedAt, day } = entry;
  const text = JSON.stringify([
    before,
    ...[accountId, number, _id, entity, entityId, version, kind],
    ...[createdAt.toISOString(), bookedAt.toISOString(), day],
    lines.map(({ account, currency, amount }) => [account, currency, amount]),
  ]);
  return createHash('sha256').update(text).digest('hex');
}

/** Adds an entry to the end of its account's chain. */
export function addToChain(
  end: ChainEnd,
  { pending: _, ...entry }: EntryDocument,
): { readonly entry: SealedEntry; readonly end: ChainEnd } {
  const bookedAt = new Date(Math.max(entry.createdAt.getTime(), end.bookedAt.getTime()));
  const placed = { ...entry, number: end.number + 1, bookedAt, day: bookedAt.toISOString().slice(0, 10) };
  const hash = hashEntry(end.hash, placed);
  return {
    entry: { ...placed, hash },
    end: { number: placed.number, hash, bookedAt, balances: sumLines([...end.balances, ...entry.lines]) },
  };
}

/** A document that says where a chain ends, and whose seal proves it. */
interface SealedEnd extends ChainEnd {
  readonly _id: string;
  readonly accountId: string;
  /** Of the end of a day. */
  readonly day?: string;
  readonly seal: StoredBytes;
}

/** The encrypted text of the end of a chain. Without `ENCRYPTION_KEY` nobody can make one for other entries. */
export function sealEnd(box: Box, end: Omit<SealedEnd, 'seal'>): Buffer {
  return box.seal(textOf(end), contextOf(end));
}

/** Whether the seal of an end was made for just this end. */
export function isSealed(box: Box, end: SealedEnd): boolean {
  try {
    return box.open(toBuffer(end.seal), contextOf(end)).toString() === textOf(end);
  } catch {
    // A seal that does not open was made for another document, or changed: the answer is no.
    return false;
  }
}

function textOf({ number, hash, bookedAt, balances, day }: Omit<SealedEnd, 'seal'>): string {
  const lines = balances.map(({ account, currency, amount }) => [account, currency, amount]);
  return JSON.stringify([number, hash, bookedAt.toISOString(), lines, day]);
}

function contextOf({ accountId, _id }: Pick<SealedEnd, 'accountId' | '_id'>): string {
  return `${accountId}|seal|${_id}`;
}
