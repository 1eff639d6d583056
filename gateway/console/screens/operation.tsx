import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts } from '../parts/page.tsx';
import { Payment } from '../parts/payment.tsx';
import { Simulate } from '../parts/simulate.tsx';
import { Loaded } from '../parts/states.tsx';
import { CodeWords, Money, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { OPERATION_MOVES } from '../simulations.ts';
import { operationSteps } from '../steps.ts';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import {
  detailsFact,
  type Fact,
  idsFact,
  payerFact,
  payoutFact,
  referenceFact,
  timeFacts,
  userFact,
} from './facts.tsx';
import { pathOf } from './paths.ts';

type Operation = NonNullable<DataOf<'operation'>['operation']>;

export function OperationScreen({ id }: { readonly id: string }) {
  const query = useQuery('operation', { id });
  const connection = useChanges(
    'operationChanges',
    ({ operationStatusChanged }) => operationStatusChanged.operation?.id === id,
    query.reload,
  );
  return (
    <Loaded place="payment" title={words.value.fields.operation} query={query} of={query.data?.operation}>
      {(operation) => (
        <Payment
          nodeId={operation.nodeId}
          version={operation.updatedAt}
          title={words.value.operation.title(operation.code)}
          amount={operation.recipient}
          stepsOf={(entries) => operationSteps(operation, entries)}
          facts={<Facts of={factsOf(operation)} />}
          actions={
            <>
              <Simulate
                document="simulateOperationStatus"
                choices={OPERATION_MOVES[operation.status].map((status) => ({
                  label: words.value.simulate.moves(words.value.values[status]),
                  variables: { input: { operationId: id, status } },
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

function factsOf(operation: Operation): Fact[] {
  const { fields } = words.value;
  const { user, remittance, requestMoney, link } = operation;
  return [
    referenceFact(requestMoney?.referenceId ?? operation.id),
    [fields.status, <Status key="status" value={operation.status} />],
    detailsFact(operation),
    [
      fields.failureReason,
      operation.failureReason ? <CodeWords key="reason" of={operation.failureReason} /> : undefined,
    ],
    [fields.received, <Money key="recipient" of={operation.recipient} />],
    [fields.sent, <Money key="amount" of={operation.amount} />],
    [fields.fee, operation.tenantFee ? <Money key="fee" of={operation.tenantFee} /> : undefined],
    [fields.exchangeRate, operation.exchangeRate ?? undefined],
    [fields.reason, operation.reason ?? undefined],
    userFact(user),
    payerFact(operation.contact),
    payoutFact(operation.destinationPaymentMethod),
    [
      fields.moneyRequest,
      requestMoney ? (
        <a href={pathOf.moneyRequest(requestMoney.referenceId)}>{requestMoney.referenceId}</a>
      ) : undefined,
    ],
    [
      fields.remittance,
      remittance ? (
        <a href={pathOf.remittance(remittance.correlationId)}>{remittance.correlationId}</a>
      ) : undefined,
    ],
    [fields.link, link ? <a href={pathOf.link(link.id)}>{link.id}</a> : undefined],
    ...timeFacts(operation, ['createdAt', 'updatedAt']),
    idsFact({
      ...(requestMoney && { referenceId: requestMoney.referenceId }),
      ...(remittance && { correlationId: remittance.correlationId }),
      operationId: operation.id,
      platId: operation.platId,
    }),
  ];
}
