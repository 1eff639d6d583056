import type { TimelineRecord } from '../../graph/timeline.ts';
import type { VerdictCause, VerdictDetail, VerdictFacts, VerdictSource } from '../../graph/verdict.ts';
import type { AccountClock } from '../../kernel/clock/account-clock.ts';
import type { ErrorCode } from '../../kernel/errors/catalogue.ts';
import { mayBeHeld, mayHaveBeenAsked } from '../../providers/withdrawal.ts';
import type { UsersPort } from '../../users/index.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceService } from '../service.ts';
import type { RemittanceDocument } from '../store/model.ts';
import { ENDED_BY_OPERATOR } from './operate-remittance.ts';
import { actionFor, blockThatRefused } from './remittance-timeline.ts';

const PHASE_CAUSES: Readonly<Record<Phase, VerdictCause>> = {
  CIP: 'CHECKING_IDENTITY',
  CONTACT: 'SAVING_CONTACT',
  PAYMENT_METHOD: 'CHECKING_PAYOUT_METHOD',
  REQUEST_MONEY: 'ASKING_PAYER',
};

/** Codes that say more than that a value was refused. */
const CODE_CAUSES: Readonly<Partial<Record<ErrorCode, VerdictCause>>> = {
  ERROR_CIP_NOT_COMPLETED: 'IDENTITY_NOT_VERIFIED',
  ERROR_CIP_NOT_FOUND: 'IDENTITY_NOT_VERIFIED',
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: 'IDENTITY_NOT_VERIFIED',
  CARD_VERIFICATION_ERROR: 'PAYOUT_METHOD_REFUSED',
  ERROR_CARD_VERIFICATION: 'PAYOUT_METHOD_REFUSED',
  ERROR_ERROR_ADD_SOURCE_UBN_ERROR: 'PAYOUT_METHOD_REFUSED',
  ERROR_PAYMENT_METHOD_NOT_FOUND: 'PAYOUT_METHOD_REFUSED',
  ERROR_INTERNAL_SERVER_ERROR: 'PROVIDER_UNAVAILABLE',
  ERROR_OPERATION_ALREADY_COMPLETED: 'ALREADY_COMPLETED',
};

/** The details of some codes. */
const CODE_DETAILS: Readonly<Partial<Record<ErrorCode, VerdictDetail>>> = {
  ERROR_CIP_NOT_COMPLETED: 'IDENTITY_CHECK_FAILED',
  ERROR_CIP_NOT_FOUND: 'IDENTITY_NOT_FOUND',
  ERROR_MUST_PERFORM_LEVEL_ONE_FIRST: 'LEVEL_ONE_MISSING',
  CARD_VERIFICATION_ERROR: 'PAYOUT_CARD_REFUSED',
  ERROR_CARD_VERIFICATION: 'PAYOUT_CARD_REFUSED',
  ERROR_ERROR_ADD_SOURCE_UBN_ERROR: 'PAYOUT_ACCOUNT_REFUSED',
};

/** The verdicts on atomic calls; the operation of a call that succeeded says more. */
export function remittanceVerdicts(
  { findOfTenant }: Pick<RemittanceService, 'findOfTenant'>,
  users: Pick<UsersPort, 'blockOf'>,
  clocks: { readonly clock: () => Date; readonly accountClock: AccountClock },
): VerdictSource {
  return {
    type: 'Remittance',
    read: async (accountId, ids) => {
      const found = [...(await findOfTenant(accountId, ids)).values()];
      const aheadMs = clocks.accountClock(accountId).getTime() - clocks.clock().getTime();
      const read = found.map(async (remittance) => {
        const { correlationId: id, status } = remittance;
        switch (status) {
          case 'SUCCEEDED':
            return [id, { type: 'Operation', id }] as const;
          case 'IN_PROGRESS':
            return [id, later(verdictOnOpen(remittance), aheadMs)] as const;
          case 'FAILED':
            return [id, verdictOnFailed(remittance, await blockThatRefused(remittance, users))] as const;
        }
      });
      return new Map<string, VerdictFacts | TimelineRecord>(await Promise.all(read));
    },
  };
}

/** The facts by the account's clock. The times of work in progress are of the database's. */
function later({ since, actBy, ...facts }: VerdictFacts, aheadMs: number): VerdictFacts {
  const shift = (at: Date) => new Date(at.getTime() + aheadMs);
  return { ...facts, since: shift(since), actBy: actBy && shift(actBy) };
}

function verdictOnOpen(remittance: RemittanceDocument): VerdictFacts {
  const { phase, phaseSince, lastError, nextAttemptAt, withdrawal } = remittance;
  const base = { since: phaseSince, actBy: null, reason: null };
  if (withdrawal) {
    return { ...base, cause: 'WITHDRAWING', since: withdrawal.since, next: 'CONTACT_SUPPORT' };
  }
  return lastError
    ? {
        ...base,
        cause: 'RETRYING',
        actBy: nextAttemptAt,
        reason: lastError.message,
        next: 'WAIT',
        ...(!mayHaveBeenAsked(remittance) && { detail: 'RETRYING_BEFORE_PAYER' }),
      }
    : { ...base, cause: PHASE_CAUSES[phase], next: null };
}

/** @param block see {@link blockThatRefused} */
function verdictOnFailed(
  remittance: RemittanceDocument,
  block: Awaited<ReturnType<UsersPort['blockOf']>>,
): VerdictFacts {
  const { lastError, withdrawal, updatedAt } = remittance;
  const base = { since: lastError?.occurredAt ?? updatedAt, actBy: null };
  if (mayBeHeld(remittance)) {
    return { ...base, cause: 'PAYER_MAY_HAVE_BEEN_ASKED', reason: null, next: 'CONTACT_SUPPORT' };
  }
  const code = lastError?.code ?? 'ERROR_INTERNAL_SERVER_ERROR';
  const next = actionFor(remittance, code, block !== undefined);
  if (withdrawal) {
    return { ...base, cause: 'WITHDRAWN', reason: null, next };
  }
  // The documents have no code for it: it has that of an outage.
  if (lastError?.message === ENDED_BY_OPERATOR.message) {
    return { ...base, cause: 'ENDED_BY_OPERATOR', reason: null, next };
  }
  if (block) {
    return { ...base, cause: 'USER_BLOCKED', reason: block.blockedReason ?? null, next };
  }
  const cause = CODE_CAUSES[code] ?? 'REFUSED';
  const detail = CODE_DETAILS[code];
  const reason =
    cause === 'REFUSED' || cause === 'PAYOUT_METHOD_REFUSED' ? (lastError?.message ?? null) : null;
  return { ...base, cause, reason, next, ...(detail && { detail }) };
}
