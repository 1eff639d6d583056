import type { UpdateQuery } from 'mongoose';
import type { AccountId } from '../kernel/account.ts';
import type { AccountClocks } from '../kernel/clock/account-clock.ts';
import type { Box } from '../kernel/crypto/box.ts';
import { isOutage } from '../kernel/database/outage.ts';
import type { RunTransaction } from '../kernel/database/transaction.ts';
import { LeaseLostError } from '../runtime/work/claim.ts';
import { readRetryAfter } from '../runtime/work/retry-after.ts';
import { afterFailure, type RetrySchedule } from '../runtime/work/retry-schedule.ts';
import { createBatches } from './batches.ts';
import type { Claimed } from './claim.ts';
import { appendDeliveryEvents, type DeliveryChange, type DeliveryEvents } from './delivery-events.ts';
import type {
  AttemptDocument,
  DeliveryDocument,
  DeliveryError,
  DeliveryStatus,
  WebhookModels,
} from './model.ts';
import type { DeliveryOrder } from './order.ts';
import { sealedContext } from './sealed.ts';
import type { ErrorClass, SendOutcome } from './sender.ts';

/** The outcome of an attempt: an answer, or none in time; not an attempt that this process gave up. */
type FinalOutcome = Exclude<SendOutcome, { kind: 'aborted' }>;

/** An attempt that has ended. */
export interface FinishedAttempt {
  /** When the attempt began. */
  readonly at: Date;
  readonly ms: number;
  readonly outcome: FinalOutcome;
}

/** Why a delivery is dead-lettered without an attempt: it is crash-looping, or its endpoint was deleted. */
type DeadLetterReason = Exclude<DeliveryError, ErrorClass>;

/** Writes the outcomes of claimed deliveries, each under the claim's lease token. */
export interface Recorder {
  /**
   * Counts the attempt, stores its record and decides what comes next, in one transaction that is shared with others. @throws
   * LeaseLostError when nothing was written, because another process has the delivery now
   */
  record(claimed: Claimed, attempt: FinishedAttempt): Promise<DeliveryChange>;
  /** Dead-letters a delivery without an attempt. @throws LeaseLostError likewise */
  deadLetter(claimed: Claimed, reason: DeadLetterReason): Promise<DeliveryChange>;
}

interface RecorderDeps {
  models: WebhookModels;
  box: Box;
  transaction: RunTransaction;
  schedule: RetrySchedule;
  clock: () => Date;
  aheadMs: AccountClocks['aheadMs'];
  events: DeliveryEvents;
  order: Pick<DeliveryOrder, 'release'>;
  /** Called with deliveries that are due now because the one before them has ended. */
  onDue: (deliveryIds: readonly string[]) => void;
}

interface Result {
  readonly statusCode?: number;
  readonly errorClass?: DeliveryDocument['lastError'];
}

interface Entry {
  readonly claimed: Claimed;
  readonly change: DeliveryChange;
  readonly result: Result;
  readonly trace?: AttemptDocument;
  /** Whether the delivery was erased during the attempt. */
  readonly isErased?: boolean;
}

/** Most outcomes in one transaction. */
const LARGEST_BATCH = 64;

export function createRecorder(deps: RecorderDeps): Recorder {
  // One by one, they would wait for a missing database as long as all together did, each for itself, and delay a stop that
  // long.
  const write = createBatches(
    (entries: readonly Entry[]) => writeTogether(deps, entries),
    LARGEST_BATCH,
    isOutage,
  );
  const record = (entry: Entry) =>
    write(entry).catch((error: unknown) => {
      if (error instanceof LeaseLostError) {
        return write(toErased(deps, entry));
      }
      throw error;
    });
  return {
    record: (claimed, attempt) => record(toEntry(deps, claimed, attempt)),
    deadLetter: (claimed, reason) => record(toDeadLetter(deps, claimed, reason)),
  };
}

/** The entry of a delivery that was erased: the answer may repeat the personal data that were sent. */
function toErased({ box }: Pick<RecorderDeps, 'box'>, { trace, ...entry }: Entry): Entry {
  const erased = trace && { ...trace, answer: box.seal('', sealedContext(trace)('answer')) };
  return { ...entry, isErased: true, ...(erased && { trace: erased }) };
}

function toEntry(deps: RecorderDeps, claimed: Claimed, attempt: FinishedAttempt): Entry {
  const change = changeAfter(deps, claimed, attempt.outcome);
  const number = claimed.document.earlierAttempts + change.attempt;
  const { document } = claimed;
  const trace = toTrace(deps, document, number, attempt);
  return { claimed, change, result: attempt.outcome, trace };
}

function toDeadLetter(deps: RecorderDeps, claimed: Claimed, errorClass: DeadLetterReason): Entry {
  const { document } = claimed;
  const at = shift(deps, document.accountId, deps.clock());
  const change = { ...toChange(document, 'DEAD_LETTERED', document.attempt, at), errorClass };
  return { claimed, change, result: { errorClass } };
}

function changeAfter(deps: RecorderDeps, { document }: Claimed, outcome: FinalOutcome): DeliveryChange {
  const attempt = document.attempt + 1;
  const now = deps.clock();
  const at = shift(deps, document.accountId, now);
  if (outcome.kind === 'delivered') {
    return toChange(document, 'DELIVERED', attempt, at);
  }
  const next = afterFailure(deps.schedule, attempt);
  const { errorClass } = outcome;
  if (next.kind === 'dead_letter') {
    return { ...toChange(document, 'DEAD_LETTERED', attempt, at), errorClass };
  }
  const waitMs = Math.max(next.delayMs, askedDelayMs(outcome, now));
  const nextAttemptAt = new Date(now.getTime() + waitMs);
  return { ...toChange(document, 'PENDING', attempt, at), nextAttemptAt, waitMs };
}

/** A time of the database as the account's clock shows it. */
function shift({ aheadMs }: Pick<RecorderDeps, 'aheadMs'>, accountId: AccountId, at: Date): Date {
  return new Date(at.getTime() + aheadMs(accountId));
}

/** The wait that the receiver requests, milliseconds: never less than the documented schedule. */
function askedDelayMs({ retryAfter }: { readonly retryAfter?: string }, now: Date): number {
  return readRetryAfter(retryAfter, now.getTime()) ?? 0;
}

function toChange(
  { _id, accountId, event, status: previousStatus, version: before, createdAt }: DeliveryDocument,
  status: DeliveryStatus,
  attempt: number,
  occurredAt: Date,
): DeliveryChange {
  const version = status === previousStatus ? before : before + 1;
  return {
    deliveryId: _id,
    accountId,
    event,
    previousStatus,
    status,
    version,
    attempt,
    occurredAt,
    createdAt,
  };
}

function toTrace(
  { box, aheadMs }: Pick<RecorderDeps, 'box' | 'aheadMs'>,
  { _id: deliveryId, accountId }: DeliveryDocument,
  number: number,
  { at, ms, outcome }: FinishedAttempt,
): AttemptDocument {
  const ahead = aheadMs(accountId);
  const _id = `${deliveryId}:${number}`;
  const { statusCode, timing } = outcome;
  return {
    _id,
    deliveryId,
    accountId,
    number,
    at: new Date(at.getTime() + ahead),
    ...(ahead === 0 ? {} : { aheadMs: ahead }),
    ms,
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(outcome.kind === 'failed' ? { errorClass: outcome.errorClass } : {}),
    answer: box.seal(outcome.answer, sealedContext({ accountId, _id })('answer')),
    ...(timing === undefined ? {} : { timing }),
  };
}

/** One transaction: all of these or none. @throws LeaseLostError when another process has one of them now, or one was erased meanwhile */
async function writeTogether(
  { models, transaction, events, order, onDue, clock }: RecorderDeps,
  entries: readonly Entry[],
): Promise<DeliveryChange[]> {
  const changes = entries.map(({ change }) => change);
  const at = clock();
  const ended = entries.flatMap(({ claimed, change }) =>
    change.status === 'PENDING' ? [] : { document: claimed.document, at },
  );
  const due = await transaction(async (unit) => {
    for (const { claimed, change, result, isErased } of entries) {
      const { document, leaseToken } = claimed;
      unit.update(models.deliveries, {
        filter: {
          _id: document._id,
          accountId: document.accountId,
          leaseToken,
          erased: isErased ? true : { $exists: false },
        },
        update: toUpdate(change, result),
        otherwise: () => new LeaseLostError(),
      });
    }
    unit.insert(
      models.attempts,
      entries.flatMap(({ trace }) => trace ?? []),
    );
    appendDeliveryEvents(events, changes, unit);
    return order.release(ended, unit);
  });
  onDue(due);
  return changes;
}

/** Removes fields without a value: the record shows the last attempt's result, not a mix of several. */
function toUpdate(change: DeliveryChange, { statusCode, errorClass }: Result): UpdateQuery<DeliveryDocument> {
  const { status, version, attempt, nextAttemptAt, waitMs, occurredAt } = change;
  const set: Partial<DeliveryDocument> = {
    status,
    version,
    attempt,
    claims: 0,
    ...(nextAttemptAt === undefined ? { finishedAt: occurredAt } : { nextAttemptAt }),
    ...(waitMs === undefined ? {} : { waitMs }),
    ...(statusCode === undefined ? {} : { lastStatusCode: statusCode }),
    ...(errorClass === undefined ? {} : { lastError: errorClass }),
  };
  const unset = {
    leaseToken: 1,
    ...(statusCode === undefined ? { lastStatusCode: 1 } : {}),
    ...(errorClass === undefined ? { lastError: 1 } : {}),
  };
  return { $set: set, $unset: unset };
}
