// How the console shows the cause of a verdict.

import type { ConsoleVerdictTextFragment, VerdictCause } from './documents/types.ts';

interface ShownCause {
  readonly tone: 'good' | 'bad' | 'busy' | 'idle';
  /** Whether the payment goes on after it. All others are final. */
  readonly isOpen: boolean;
}

/** Every cause of the graph. */
export const CAUSES: Readonly<Record<VerdictCause, ShownCause>> = {
  WAITING_FOR_PAYER: { tone: 'busy', isOpen: true },
  PAYER_IGNORED: { tone: 'bad', isOpen: true },
  WAITING_FOR_PAYMENT: { tone: 'busy', isOpen: true },
  PAYING: { tone: 'busy', isOpen: true },
  PAID: { tone: 'busy', isOpen: true },
  PAYOUT_UNDER_WAY: { tone: 'busy', isOpen: true },
  CASH_READY: { tone: 'busy', isOpen: true },
  UNDER_REVIEW: { tone: 'busy', isOpen: true },
  COMPLETED: { tone: 'good', isOpen: false },
  CARD_DECLINED: { tone: 'bad', isOpen: false },
  CARD_EXPIRED: { tone: 'bad', isOpen: false },
  INSUFFICIENT_FUNDS: { tone: 'bad', isOpen: false },
  REJECTED: { tone: 'bad', isOpen: false },
  PAYMENT_FAILED: { tone: 'bad', isOpen: false },
  PAYOUT_FAILED: { tone: 'bad', isOpen: false },
  EXPIRED: { tone: 'idle', isOpen: false },
  CANCELLED_BY_PARTNER: { tone: 'idle', isOpen: false },
  CANCELLED: { tone: 'idle', isOpen: false },
  CHECKING_IDENTITY: { tone: 'busy', isOpen: true },
  SAVING_CONTACT: { tone: 'busy', isOpen: true },
  CHECKING_PAYOUT_METHOD: { tone: 'busy', isOpen: true },
  ASKING_PAYER: { tone: 'busy', isOpen: true },
  RETRYING: { tone: 'busy', isOpen: true },
  UNANSWERED: { tone: 'bad', isOpen: true },
  WITHDRAWING: { tone: 'bad', isOpen: true },
  PAYER_MAY_HAVE_BEEN_ASKED: { tone: 'bad', isOpen: false },
  WITHDRAWN: { tone: 'bad', isOpen: false },
  IDENTITY_NOT_VERIFIED: { tone: 'bad', isOpen: false },
  USER_BLOCKED: { tone: 'bad', isOpen: false },
  PAYOUT_METHOD_REFUSED: { tone: 'bad', isOpen: false },
  PROVIDER_UNAVAILABLE: { tone: 'bad', isOpen: false },
  ENDED_BY_OPERATOR: { tone: 'bad', isOpen: false },
  ALREADY_COMPLETED: { tone: 'bad', isOpen: false },
  REFUSED: { tone: 'bad', isOpen: false },
};

/** Whether a verdict may become another one: somebody still acts, or it names a time at which it changes. */
export function mayChange({ cause, actBy }: Pick<ConsoleVerdictTextFragment, 'cause' | 'actBy'>): boolean {
  return actBy !== null || CAUSES[cause].isOpen;
}
