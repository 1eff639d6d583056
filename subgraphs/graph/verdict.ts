import type { AccountId } from '../kernel/account.ts';
import { ERASED_TEXT } from './erasure.ts';
import type { TimelineAction, TimelineRecord, UndeliveredAction } from './timeline.ts';

/** The causes of a payment's present state, with their descriptions for clients. */
export const VERDICT_CAUSES = {
  WAITING_FOR_PAYER: 'The payer was asked and has not reacted.',
  PAYER_IGNORED: 'The payer was asked and ignored the request.',
  WAITING_FOR_PAYMENT: 'The payer agreed and has not started to pay.',
  PAYING: 'The payer is paying.',
  PAID: 'The payer paid, and the payout starts next.',
  PAYOUT_UNDER_WAY: 'The payout is under way.',
  CASH_READY: 'The cash can be picked up.',
  UNDER_REVIEW: 'The platform holds the payment for review.',
  COMPLETED: 'The money was paid out. Final.',
  CARD_DECLINED: "The payer's card was declined. Final.",
  CARD_EXPIRED: "The payer's card has expired. Final.",
  INSUFFICIENT_FUNDS: 'The payer did not have enough money. Final.',
  REJECTED: 'The payer or the provider rejected the request. Final.',
  PAYMENT_FAILED: 'The payment failed before the money arrived. Final.',
  PAYOUT_FAILED: 'The payer paid, and the payout failed. Final.',
  EXPIRED: 'The payer did not pay in time. Final.',
  CANCELLED_BY_PARTNER: 'The partner cancelled the request. Final.',
  CANCELLED: 'The request was cancelled. Final.',
  CHECKING_IDENTITY: 'The identity of the requester is being checked.',
  SAVING_CONTACT: 'The payer is being saved as a contact of the requester.',
  CHECKING_PAYOUT_METHOD: 'The payout method is being verified and saved.',
  ASKING_PAYER: 'The payer is being asked for the money.',
  RETRYING: 'An attempt failed, and the service tries again.',
  UNANSWERED: 'A provider gave no answer to the request, and the service does not repeat it by itself.',
  WITHDRAWING: 'The payer may have been asked, and the request is being withdrawn from the payer.',
  PAYER_MAY_HAVE_BEEN_ASKED:
    'The request failed, and nobody knows whether the payer was asked or has paid. Final, unless the payer turns out to have paid.',
  WITHDRAWN: 'The request was withdrawn from the payer. Final.',
  IDENTITY_NOT_VERIFIED: 'The requester has not completed or not passed the identity check. Final.',
  USER_BLOCKED: 'The requester is blocked. Final.',
  PAYOUT_METHOD_REFUSED: 'The card or account for the payout was not accepted. Final.',
  PROVIDER_UNAVAILABLE: 'A provider did not answer in time, after all attempts. Final.',
  ENDED_BY_OPERATOR: 'The platform ended the request. Final.',
  ALREADY_COMPLETED: 'The provider has completed a request with this id. Final.',
  REFUSED: 'A value of the request was not accepted. Final.',
} as const;
export type VerdictCause = keyof typeof VERDICT_CAUSES;

/** More exact forms of some causes: they only change the sentence. */
export const VERDICT_DETAILS = [
  'HELD_BEFORE_PAYMENT',
  'HELD_AFTER_PAYMENT',
  'RETRYING_BEFORE_PAYER',
  'IDENTITY_CHECK_FAILED',
  'IDENTITY_NOT_FOUND',
  'LEVEL_ONE_MISSING',
  'PAYOUT_CARD_REFUSED',
  'PAYOUT_ACCOUNT_REFUSED',
] as const;
export type VerdictDetail = (typeof VERDICT_DETAILS)[number];

/** The causes of failed and rejected operations and money requests. */
export const FAILURE_CAUSES = [
  'CARD_DECLINED',
  'CARD_EXPIRED',
  'INSUFFICIENT_FUNDS',
  'REJECTED',
  'PAYMENT_FAILED',
  'PAYOUT_FAILED',
] as const satisfies readonly VerdictCause[];
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** The causes that a reason may name. */
type ReasonCause = Extract<FailureCause, 'CARD_DECLINED' | 'CARD_EXPIRED' | 'INSUFFICIENT_FUNDS'>;

/** Actions for a payment; a webhook's problem is never a payment's. */
export type PaymentAction = Exclude<TimelineAction, UndeliveredAction>;

/** The present state of a payment, as facts without a sentence. */
export interface VerdictFacts {
  readonly cause: VerdictCause;
  /** When the payment got into this state. */
  readonly since: Date;
  /** The partner's next action; null when there is nothing to do. */
  readonly next: PaymentAction | null;
  /** When a money request that waits for its payer expires, or a failed step is tried again; null for all others. */
  readonly actBy: Date | null;
  /** The reason that a payer, provider or partner gave, for people; null when the cause says it all, or nobody gave one. */
  readonly reason: string | null;
  readonly detail?: VerdictDetail;
}

/** How the verdicts of one type's records are found. */
export interface VerdictSource {
  readonly type: TimelineRecord['type'];
  /** The facts of records of an account, or the record of the same payment that says more. Missing for unknown ids. */
  read(
    accountId: AccountId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, VerdictFacts | TimelineRecord>>;
}

/** Reasons of payers' banks, as letters alone, that have a cause of their own. */
const REASONS: Readonly<Record<string, ReasonCause>> = {
  carddeclined: 'CARD_DECLINED',
  cardwasdeclined: 'CARD_DECLINED',
  thecardwasdeclined: 'CARD_DECLINED',
  declinedcard: 'CARD_DECLINED',
  donothonor: 'CARD_DECLINED',
  donothonour: 'CARD_DECLINED',
  genericdecline: 'CARD_DECLINED',
  cardexpired: 'CARD_EXPIRED',
  cardhasexpired: 'CARD_EXPIRED',
  thecardhasexpired: 'CARD_EXPIRED',
  expiredcard: 'CARD_EXPIRED',
  insufficientfunds: 'INSUFFICIENT_FUNDS',
  notsufficientfunds: 'INSUFFICIENT_FUNDS',
  insufficientbalance: 'INSUFFICIENT_FUNDS',
};

/** The cause that a reason names in all its words; undefined for a reason that only people understand. */
function causeOfReason(reason: string): ReasonCause | undefined {
  const letters = reason.toLowerCase().replace(/[^\p{L}]/gu, '');
  return Object.hasOwn(REASONS, letters) ? REASONS[letters] : undefined;
}

/** The reason that a text gives: none once the personal data of its payment are erased. */
export function reasonIn(text: string | undefined): string | null {
  return text === undefined || text === ERASED_TEXT ? null : text;
}

/** The cause and the reason of an end that somebody may have explained. */
export function explainEnd<Cause extends VerdictCause>(
  otherwise: Cause,
  reason: string | undefined,
): { readonly cause: Cause | ReasonCause; readonly reason: string | null } {
  const known = reason === undefined ? undefined : causeOfReason(reason);
  return known ? { cause: known, reason: null } : { cause: otherwise, reason: reasonIn(reason) };
}

/** The cause of a cancelled payment by the details of its status; undefined for a reason that somebody wrote. */
export function causeOfCancel(statusDetails: string): VerdictCause | undefined {
  switch (statusDetails) {
    case 'Expired':
      return 'EXPIRED';
    case 'CancelledByPartner':
      return 'CANCELLED_BY_PARTNER';
    default:
      return undefined;
  }
}
