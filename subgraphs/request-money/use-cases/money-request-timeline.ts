import { toName } from '../../graph/text-enum.ts';
import {
  changeId,
  type StatusChangeEntry,
  type TimelineProblem,
  type TimelineSource,
} from '../../graph/timeline.ts';
import type { EventHistory, PastEvent } from '../../runtime/events/index.ts';
import type { Deliveries } from '../../webhooks/deliveries.ts';
import { deliveriesOf } from '../../webhooks/delivery-timeline.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';

/** Most webhooks about failed calls: a program that tries without end must not push out those of the changes. */
const MOST_FAILURES = 100;

/** Reads for timelines of money requests, besides the money requests. */
interface MoneyRequestPast {
  readonly history: EventHistory;
  readonly deliveries: Pick<Deliveries, 'aboutFailures'>;
}

/**
 * The timeline of money requests: every change of status or details, with the webhooks that reported it, and those about calls
 * that failed.
 */
export function moneyRequestTimeline(
  { moneyRequests }: Pick<RequestMoneyDeps, 'moneyRequests'>,
  { history, deliveries }: MoneyRequestPast,
): TimelineSource {
  return {
    type: 'RequestMoney',
    read: async (accountId, referenceId, most) => {
      const [found, events, failures] = await Promise.all([
        moneyRequests.findMany(accountId, [referenceId]),
        history.of(accountId, 'requestMoney', referenceId, most),
        deliveries.aboutFailures(accountId, { type: 'RequestMoney', id: referenceId }, MOST_FAILURES),
      ]);
      const moneyRequest = found.get(referenceId);
      const { operationId } = moneyRequest ?? {};
      return (
        moneyRequest && {
          entries: events.map(toEntry),
          related: operationId === undefined ? [] : [{ type: 'Operation', id: operationId }],
          deliveries: [...deliveriesOf(events), ...failures],
          problems: problemsOf(moneyRequest, events.at(-1)),
          isCut: events[0]?.version !== 1 || failures.length === MOST_FAILURES,
        }
      );
    },
  };
}

function toEntry(event: PastEvent): StatusChangeEntry {
  const { entityId: id, version, previousStatus, status, statusDetails, occurredAt: at } = event;
  return {
    __typename: 'TimelineStatusChange',
    id: changeId({ type: 'RequestMoney', id }, version),
    at,
    subject: 'REQUEST_MONEY',
    subjectId: id,
    previousStatus: previousStatus === null ? null : toName(previousStatus),
    status: toName(status),
    statusDetails: statusDetails ?? null,
  };
}

/** The fulfilling operation, if there is one, says more. */
function problemsOf(
  { status, statusDetails, operationId, updatedAt }: MoneyRequest,
  last: PastEvent | undefined,
): TimelineProblem[] {
  return status === 'rejected' && operationId === undefined
    ? [
        {
          step: toName(last?.previousStatus ?? status),
          code: null,
          message: statusDetails,
          nextAction: 'REQUEST_AGAIN',
          at: last?.occurredAt ?? updatedAt,
          nextAttemptAt: null,
        },
      ]
    : [];
}
