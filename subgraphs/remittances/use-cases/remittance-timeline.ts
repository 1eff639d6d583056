import {
  changeId,
  type PhaseFailureEntry,
  recordName,
  type TimelineEntry,
  type TimelineProblem,
  type TimelineRecord,
  type TimelineSource,
} from '../../graph/timeline.ts';
import type { PaymentAction } from '../../graph/verdict.ts';
import { mayBeHeld, withdrawalFailure } from '../../providers/withdrawal.ts';
import type { EventHistory, PastEvent } from '../../runtime/events/index.ts';
import type { UsersPort } from '../../users/index.ts';
import { deliveriesOf } from '../../webhooks/delivery-timeline.ts';
import type { RemittanceService } from '../service.ts';
import type { FailedAttempt, RemittanceDocument } from '../store/model.ts';

/** The next action of a partner for a failed remittance with one of these codes; all others name the value to correct. */
const ACTIONS: Readonly<Record<string, PaymentAction>> = {
  ERROR_CIP_NOT_COMPLETED: 'COMPLETE_IDENTITY_CHECK',
  ERROR_INTERNAL_SERVER_ERROR: 'REQUEST_AGAIN',
  // The completed request may be this one: the partner must not have to find out.
  ERROR_OPERATION_ALREADY_COMPLETED: 'CONTACT_SUPPORT',
};

/** The timeline of atomic calls: acceptance, each phase, each failed attempt, the end, and the webhook of the outcome. */
export function remittanceTimeline(
  { findOfTenant }: Pick<RemittanceService, 'findOfTenant'>,
  history: EventHistory,
  users: Pick<UsersPort, 'blockOf'>,
): TimelineSource {
  return {
    type: 'Remittance',
    read: async (accountId, correlationId, most) => {
      const [found, events] = await Promise.all([
        findOfTenant(accountId, [correlationId]),
        history.of(accountId, 'remittance', correlationId, most),
      ]);
      const remittance = found.get(correlationId);
      if (!remittance) {
        return undefined;
      }
      const { failures = [] } = remittance;
      return {
        entries: [...events.map(toEntry), ...failures.map(failureOf(correlationId))],
        related: [{ type: 'Operation', id: correlationId }],
        deliveries: deliveriesOf(events),
        problems: problemsOf(remittance, (await blockThatRefused(remittance, users)) !== undefined),
        isCut: events[0]?.version !== 1,
      };
    },
  };
}

/**
 * The block of the requester, of a call that failed as those of blocked users do. Undefined if the requester is not blocked:
 * providers refuse with this code, too, and the user may have been unblocked since.
 */
export async function blockThatRefused(
  { accountId, userId, lastError }: RemittanceDocument,
  users: Pick<UsersPort, 'blockOf'>,
): ReturnType<UsersPort['blockOf']> {
  return lastError?.code === 'ERROR_INVALID_OPERATION' ? users.blockOf(accountId, userId) : undefined;
}

/** A change of the phase alone, or of the status; one of a failed remittance is the end of its withdrawal. */
function toEntry(event: PastEvent): TimelineEntry {
  const { entityId, version, previousStatus, status, statusDetails, occurredAt: at } = event;
  const id = changeId(recordOf(entityId), version);
  return previousStatus === 'IN_PROGRESS' && previousStatus === status
    ? { __typename: 'TimelinePhase', id, at, correlationId: entityId, phase: String(statusDetails) }
    : {
        __typename: 'TimelineStatusChange',
        id,
        at,
        subject: 'REMITTANCE',
        subjectId: entityId,
        previousStatus,
        status,
        statusDetails: statusDetails ?? null,
      };
}

/** The numbers of attempts start again when an operator retries, so the id has the time of the attempt. */
function failureOf(correlationId: string): (failure: FailedAttempt) => PhaseFailureEntry {
  return ({ phase, attempt, code, message, occurredAt, nextAttemptAt, payerMayHaveBeenAsked }) => ({
    __typename: 'TimelinePhaseFailure',
    id: `${recordName(recordOf(correlationId))}:${String(occurredAt.getTime()).padStart(15, '0')}:${phase}:${attempt}`,
    at: occurredAt,
    correlationId,
    phase,
    attempt,
    code,
    message,
    nextAttemptAt: nextAttemptAt ?? null,
    payerMayHaveBeenAsked: payerMayHaveBeenAsked ?? false,
  });
}

/** An error in a phase that is still tried, or that ended it. */
function problemsOf(remittance: RemittanceDocument, isBlocked: boolean): TimelineProblem[] {
  const { phase, lastError, nextAttemptAt, isOpen, withdrawal } = remittance;
  if (!lastError) {
    return [];
  }
  const { code, occurredAt: at } = lastError;
  return [
    {
      step: isBlocked ? 'USER_BLOCKED' : phase,
      code,
      message:
        withdrawal?.status === 'PENDING'
          ? withdrawalFailure(withdrawal, 'PENDING').message
          : lastError.message,
      nextAction: actionFor(remittance, code, isBlocked),
      at,
      nextAttemptAt: isOpen ? nextAttemptAt : null,
    },
  ];
}

/**
 * The next action for an error. Nothing advises to request again while the payer may hold the request (decisions, section 8).
 * @param isBlocked see {@link blockThatRefused}
 */
export function actionFor(remittance: RemittanceDocument, code: string, isBlocked: boolean): PaymentAction {
  if (remittance.status === 'IN_PROGRESS' && !remittance.withdrawal) {
    return 'WAIT';
  }
  if (mayBeHeld(remittance)) {
    return 'CONTACT_SUPPORT';
  }
  return isBlocked ? 'UNBLOCK_USER' : (ACTIONS[code] ?? 'CORRECT_AND_REQUEST_AGAIN');
}

function recordOf(id: string): TimelineRecord {
  return { type: 'Remittance', id };
}
