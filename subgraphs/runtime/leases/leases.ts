import { randomUUID } from 'node:crypto';
import type { Connection, Model } from 'mongoose';
import { TOO_FAR_MS } from '../../kernel/clock/database-clock.ts';
import { isDuplicateKey } from '../../kernel/database/transaction.ts';
import { createLeaseModel, type LeaseDocument } from './model.ts';

/**
 * The right to do a task alone, until a time. A holder that was suspended longer than that does not notice: so everything it
 * writes must be conditional on `term`, which is greater for every later holder.
 */
export interface Lease {
  readonly name: string;
  /** Only the holder knows it. */
  readonly token: string;
  /** Fencing number, from 1: grows with each acquisition, stays on renewal. */
  readonly term: number;
  readonly until: Date;
}

/** All functions throw when the database cannot be reached. A lease that is not free is an answer, `null`. */
export interface Leases {
  /**
   * Takes the lease for `ttlMs` when it is free: never held, given back or expired. @returns null while another process holds
   * it, and while the machine's clock is wrong
   */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
  /**
   * Extends the lease by `ttlMs` from now, even after its end if nobody else took it. @returns null when it was lost to
   * another holder or given back
   */
  renew(lease: Lease, ttlMs: number): Promise<Lease | null>;
  /** Gives the lease back, so that the next holder need not wait for its end. Does nothing when it was lost. */
  release(lease: Lease): Promise<void>;
}

interface LeasesDeps {
  connection: Connection;
  /** The present time; the process's by default. Clocks that differ cost waiting or a second holder, never `term`. */
  clock?: () => Date;
  /** Whether the machine's clock is right; true by default. While it is not, no lease is taken or renewed. */
  isClockRight?: (() => boolean) | undefined;
}

/** Named leases in the database, by compare-and-set on one document each (design, "Event log" and "Jobs"). */
export function createLeases(deps: LeasesDeps): Leases {
  const { connection, clock = () => new Date(), isClockRight = () => true } = deps;
  const model = createLeaseModel(connection);
  return {
    acquire: async (name, ttlMs) => (isClockRight() ? acquire(model, clock(), name, ttlMs) : null),
    renew: async (lease, ttlMs) => (isClockRight() ? renew(model, clock(), lease, ttlMs) : null),
    release: (lease) => release(model, lease),
  };
}

/**
 * Takes a lease that is there, or else makes it. Not by one upsert: SecantusDB, when the lease becomes free beside it, takes
 * it, but answers that it has found nothing. Nobody would hold it then until its end.
 */
async function acquire(
  model: Model<LeaseDocument>,
  now: Date,
  name: string,
  ttlMs: number,
): Promise<Lease | null> {
  const held = { token: randomUUID(), until: after(now, ttlMs) };
  const taken = await model
    .findOneAndUpdate(
      // A lease that ends later than its whole time from now was taken by a clock that was ahead.
      { _id: name, $or: [{ until: { $lte: now } }, { until: { $gt: after(now, ttlMs + TOO_FAR_MS) } }] },
      { $set: held, $inc: { term: 1 } },
      { returnDocument: 'after' },
    )
    .lean();
  return toLease(taken) ?? (await make(model, { _id: name, ...held, term: 1 }));
}

/** @returns null when the lease is there, so another process holds it */
async function make(model: Model<LeaseDocument>, document: LeaseDocument): Promise<Lease | null> {
  try {
    await model.create(document);
    return toLease(document);
  } catch (error) {
    if (isDuplicateKey(error)) {
      return null;
    }
    throw error;
  }
}

async function renew(
  model: Model<LeaseDocument>,
  now: Date,
  { name, token }: Lease,
  ttlMs: number,
): Promise<Lease | null> {
  const renewed = await model
    .findOneAndUpdate(
      { _id: name, token },
      { $set: { until: after(now, ttlMs) } },
      { returnDocument: 'after' },
    )
    .lean();
  return toLease(renewed);
}

async function release(model: Model<LeaseDocument>, { name, token }: Lease): Promise<void> {
  // Long past for every clock: the next holder's clock may be behind.
  await model.updateOne({ _id: name, token }, { $set: { until: new Date(0) }, $unset: { token: '' } });
}

function toLease(document: LeaseDocument | null): Lease | null {
  if (document?.token === undefined) {
    return null;
  }
  const { _id: name, token, term, until } = document;
  return { name, token, term, until };
}

function after(now: Date, ttlMs: number): Date {
  return new Date(now.getTime() + ttlMs);
}
