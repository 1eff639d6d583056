import { useState } from 'preact/hooks';
import { RequestMoneyStatus } from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Connection } from '../parts/live-bar.tsx';
import { Needs } from '../parts/needs.tsx';
import { Facts } from '../parts/page.tsx';
import { Payment } from '../parts/payment.tsx';
import { Simulate } from '../parts/simulate.tsx';
import { Loaded } from '../parts/states.tsx';
import { Money } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { moneyRequestEvents } from '../simulations.ts';
import { statusesOf, stepsOf, type Way } from '../steps.ts';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import {
  detailsFact,
  type Fact,
  idFact,
  idsFact,
  operationFact,
  payerFact,
  referenceFact,
  StatusOf,
  shownStatus,
  timeFacts,
  userFact,
} from './facts.tsx';

const STATUSES = Object.values(RequestMoneyStatus);
const WAY: Way<RequestMoneyStatus> = {
  order: ['PENDING', 'PROCESSING', 'COMPLETED'],
  failed: ['REJECTED'],
  ended: ['CANCELLED'],
};

type MoneyRequest = NonNullable<DataOf<'moneyRequest'>['requestMoney']>;

export function MoneyRequestScreen({ id }: { readonly id: string }) {
  const query = useQuery('moneyRequest', { referenceId: id });
  const connection = useChanges(
    'moneyRequestChanges',
    ({ requestMoneyStatusChanged }) => requestMoneyStatusChanged.requestMoney?.referenceId === id,
    query.reload,
  );
  return (
    <Loaded
      place="payment"
      title={words.value.fields.moneyRequest}
      query={query}
      of={query.data?.requestMoney}
    >
      {(request) => (
        <Payment
          nodeId={request.nodeId}
          version={request.updatedAt}
          title={`${words.value.fields.moneyRequest} ${request.referenceId}`}
          amount={request.amount}
          stepsOf={(entries) =>
            stepsOf(WAY, request.status, statusesOf(entries, id, 'REQUEST_MONEY', STATUSES)).map((step) =>
              step.name === request.status ? { ...step, name: shownStatus(request) } : step,
            )
          }
          facts={<Facts of={factsOf(request)} />}
          actions={
            <>
              {request.status === 'PENDING' && (
                <Needs access="operate" act={words.value.moneyRequest.cancel}>
                  <CancelRequest referenceId={id} onDone={query.reload} />
                </Needs>
              )}
              <Simulate
                document="simulateRequestMoneyStatus"
                choices={moneyRequestEvents(request.status, words.value.simulate).map(([label, change]) => ({
                  label,
                  variables: { input: { referenceId: id, ...change } },
                }))}
                onDone={query.reload}
              />
              <Connection state={connection} />
            </>
          }
        />
      )}
    </Loaded>
  );
}

/** Most characters of a reason (decisions, section 8, "Cancelling by the partner"). */
const LONGEST_REASON = 200;

function CancelRequest({
  referenceId,
  onDone,
}: {
  readonly referenceId: string;
  readonly onDone: () => void;
}) {
  const { moneyRequest: say } = words.value;
  const [reason, setReason] = useState('');
  return (
    <ConfirmedAction
      document="cancelRequestMoney"
      variables={{ input: { referenceId, reason } }}
      verb={say.cancel}
      dismissal={say.keep}
      onDone={onDone}
    >
      <p>{say.cancelWhat}</p>
      <p>
        <label for="cancel-reason">{say.cancelReason}</label>
        <input
          id="cancel-reason"
          maxLength={LONGEST_REASON}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </p>
    </ConfirmedAction>
  );
}

function factsOf(request: MoneyRequest): Fact[] {
  const { fields, values } = words.value;
  const { resolved, status } = request;
  const isOpen = status === 'PENDING' || status === 'PROCESSING';
  return [
    referenceFact(request.referenceId),
    [fields.status, <StatusOf key="status" of={request} />],
    detailsFact(request),
    [fields.amount, <Money key="amount" of={request.amount} />],
    [
      fields.route,
      `${resolved.sourceCountry} ${resolved.sourceCurrency} → ${resolved.destinationCountry} ${resolved.destinationCurrency}`,
    ],
    [fields.payoutMethod, [values[resolved.payoutType], resolved.payerCode].filter(Boolean).join(' · ')],
    userFact(request.user, request.userReferenceId),
    payerFact(request.operation?.contact),
    operationFact(request.operation),
    ...timeFacts(request, ['createdAt', 'updatedAt']),
    // Only a pending request can expire. Once it has ended, nobody can pay by its link.
    ...(status === 'PENDING' ? timeFacts(request, ['expiresAt']) : []),
    ...(isOpen ? [idFact(fields.fundRequestLink, request.fundRequestLink)] : []),
    idsFact({ referenceId: request.referenceId, requestId: request.requestId }),
  ];
}
