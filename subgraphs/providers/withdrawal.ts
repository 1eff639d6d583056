import { Schema } from 'mongoose';
import type { ErrorCode } from '../kernel/errors/catalogue.ts';
import { delayWithRetryAfter } from '../runtime/work/retry-schedule.ts';
import type { WithdrawalAnswer } from './types.ts';

/** For how long a funding provider is asked to withdraw a request (decisions, section 8). */
const WITHDRAW_FOR_MS = 72 * 3_600_000;

/** The delay after a failed attempt where the schedule has none. */
const FALLBACK_SECONDS = 600;

/** How far a withdrawal has come. `UNKNOWN`: it ended without an answer of the provider. */
const WITHDRAWAL_STATUSES = ['PENDING', 'CANCELLED', 'NOT_FOUND', 'ALREADY_PAID', 'UNKNOWN'] as const;
export type WithdrawalStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** The withdrawal of a request for money that its payer may hold, as stored with the request. */
export interface Withdrawal {
  status: WithdrawalStatus;
  /** When the provider was first asked to withdraw. */
  since: Date;
  /** Attempts without a readable answer. */
  attempts: number;
  /** Why the request is withdrawn: the error of the request, which is not overwritten. */
  cause: { code: ErrorCode; message: string };
  /** Why the last attempt to withdraw failed. */
  lastError?: { message: string; occurredAt: Date };
}

const required = { type: String, required: true };

export const withdrawalSchema = new Schema<Withdrawal>(
  {
    status: { type: String, required: true, enum: WITHDRAWAL_STATUSES },
    since: { type: Date, required: true },
    attempts: { type: Number, required: true },
    cause: { type: new Schema({ code: required, message: required }, { _id: false }), required: true },
    lastError: { type: new Schema({ message: required, occurredAt: Date }, { _id: false }) },
  },
  { _id: false },
);

/** The marks of a request for money whose payer may have been asked. */
interface AskedMarks {
  readonly payerMayHaveBeenAsked?: true;
  readonly isAsking?: true;
}

/** Whether the payer may have been asked: a call ended without a readable answer, or its process is in it, or has died in it. */
export function mayHaveBeenAsked({ payerMayHaveBeenAsked, isAsking }: AskedMarks): boolean {
  return payerMayHaveBeenAsked === true || isAsking === true;
}

/**
 * Whether the payer may still hold the request, or may have paid: then nothing may advise to request the money again, and
 * only the same id is safe (decisions, section 8).
 */
export function mayBeHeld({
  withdrawal,
  ...marks
}: AskedMarks & { readonly withdrawal?: Pick<Withdrawal, 'status'> }): boolean {
  return mayHaveBeenAsked(marks) && withdrawal?.status !== 'CANCELLED' && withdrawal?.status !== 'NOT_FOUND';
}

/** The status after a readable answer. */
export const STATUS_AFTER = {
  cancelled: 'CANCELLED',
  not_found: 'NOT_FOUND',
  already_paid: 'ALREADY_PAID',
} as const satisfies Record<Exclude<WithdrawalAnswer['kind'], 'unavailable'>, WithdrawalStatus>;

/**
 * The status of a withdrawal after a report of the platform's back end about the payment.
 * @param isOver whether the payment has ended without money: nobody holds the request any more
 */
export function statusAfterReport(isOver: boolean): WithdrawalStatus {
  return isOver ? 'CANCELLED' : 'ALREADY_PAID';
}

/** When an attempt had no readable answer, and what decides when the next one is made. */
interface UnansweredAt {
  /** The pipeline's schedule; its last delay repeats. */
  readonly retrySeconds: readonly number[];
  readonly at: Date;
  /** The wait that the provider requests. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * The withdrawal after another attempt without a readable answer, and the delay until the next one. It is `UNKNOWN` and has
 * no delay when 72 hours are over.
 */
export function afterUnanswered(
  withdrawal: Withdrawal,
  message: string,
  { retrySeconds, at, retryAfterMs }: UnansweredAt,
): { readonly withdrawal: Withdrawal; readonly delayMs: number | undefined } {
  const attempts = withdrawal.attempts + 1;
  const leftMs = withdrawal.since.getTime() + WITHDRAW_FOR_MS - at.getTime();
  const seconds = retrySeconds[attempts - 1] ?? retrySeconds.at(-1) ?? FALLBACK_SECONDS;
  const isOver = leftMs <= 0;
  return {
    withdrawal: {
      ...withdrawal,
      attempts,
      lastError: { message, occurredAt: at },
      status: isOver ? 'UNKNOWN' : 'PENDING',
    },
    delayMs: isOver ? undefined : Math.min(delayWithRetryAfter(seconds * 1000, retryAfterMs), leftMs),
  };
}

/** The text after the cause of a withdrawal. Only the texts of a withdrawn request advise to request again. */
const TEXTS: Readonly<Record<Exclude<WithdrawalStatus, 'ALREADY_PAID'>, string>> = {
  CANCELLED:
    'The request was withdrawn from the payer: it is safe to request the money again, with a new id.',
  NOT_FOUND:
    'The funding provider has no request to the payer: it is safe to request the money again, with a new id.',
  PENDING:
    'The payer may have been asked, and the funding provider is asked to withdraw the request. Do not request the money again: wait, and contact support.',
  UNKNOWN:
    'The payer may have been asked, and the request could not be withdrawn. Do not request the money again: wait, and contact support.',
};

/** Why a request has failed, and what follows from its withdrawal. */
export function withdrawalFailure({ cause }: Withdrawal, status: keyof typeof TEXTS): Withdrawal['cause'] {
  return { code: cause.code, message: `${cause.message} ${TEXTS[status]}` };
}
