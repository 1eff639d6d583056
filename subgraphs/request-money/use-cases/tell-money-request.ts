import type { EventHistory, PastEvent } from '../../platform/events/index.ts';
import { toName } from '../../platform/graphql/text-enum.ts';
import {
  changeId,
  type StatusChangeEntry,
  type TimelineProblem,
  type TimelineSource,
} from '../../platform/graphql/timeline.ts';
import { deliveriesOf } from '../../platform/webhooks/tell-deliveries.ts';
import type { RequestMoneyDeps } from '../deps.ts';
import type { MoneyRequest } from '../store/model.ts';

/** The timeline of money requests: every change of status or details, with the webhooks that told of it. */
export function tellMoneyRequests(
  { moneyRequests }: Pick<RequestMoneyDeps, 'moneyRequests'>,
  history: EventHistory,
): TimelineSource {
  return {
    type: 'RequestMoney',
    read: async (tenantId, referenceId, most) => {
      const [found, events] = await Promise.all([
        moneyRequests.findMany(tenantId, [referenceId]),
        history.of(tenantId, 'requestMoney', referenceId, most),
      ]);
      const moneyRequest = found.get(referenceId);
      const { operationId } = moneyRequest ?? {};
      return (
        moneyRequest && {
          entries: events.map(toEntry),
          related: operationId === undefined ? [] : [{ type: 'Operation', id: operationId }],
          deliveries: deliveriesOf(events),
          problems: problemsOf(moneyRequest, events.at(-1)),
          isCut: events[0]?.version !== 1,
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
