import type { ConsoleTimelinePageFragment, ReservationStatus } from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import { Facts } from '../parts/page.tsx';
import { Payment } from '../parts/payment.tsx';
import { Loaded } from '../parts/states.tsx';
import { Money, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { operationSteps, type Passed, stepsOf, type Way } from '../steps.ts';
import { useChanges } from '../use-entity.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import {
  askedFacts,
  type Fact,
  idsFact,
  operationFact,
  payerFact,
  payoutFact,
  referenceFact,
  timeFacts,
  userFact,
} from './facts.tsx';

const WAY: Way<ReservationStatus> = { order: ['IN_PROGRESS', 'SUCCEEDED'], failed: ['FAILED'] };

type Reservation = NonNullable<DataOf<'reservation'>['reservation']>;

/** A request by v2. While it has no operation, it has no other screen. */
export function ReservationScreen({ id }: { readonly id: string }) {
  const query = useQuery('reservation', { correlationId: id });
  // It has no events. Once it has succeeded, the payment goes on in the operation, whose id is the correlation id.
  useFresh(query, query.data?.reservation?.status === 'IN_PROGRESS');
  useChanges(
    'operationChanges',
    ({ operationStatusChanged }) => operationStatusChanged.operation?.id === id,
    query.reload,
  );
  return (
    <Loaded place="payment" title={words.value.fields.reservation} query={query} of={query.data?.reservation}>
      {(reservation) => (
        <Payment
          nodeId={reservation.nodeId}
          version={`${reservation.updatedAt} ${reservation.operation?.status}`}
          title={`${words.value.fields.reservation} ${id}`}
          amount={reservation.recipient}
          stepsOf={(entries) => stepsOfRequest(reservation, entries)}
          facts={<Facts of={factsOf(reservation)} />}
        />
      )}
    </Loaded>
  );
}

/** After success, the steps of the operation follow. */
function stepsOfRequest(reservation: Reservation, entries: ConsoleTimelinePageFragment['nodes']) {
  const { status, operation, createdAt } = reservation;
  return status === 'SUCCEEDED' && operation
    ? [
        { name: 'IN_PROGRESS' as const, at: createdAt, state: 'done' as const },
        ...operationSteps(operation, entries),
      ]
    : stepsOf(WAY, status, passedOf(reservation));
}

/** Its timeline has no changes of its status: the last one is its last change. */
function passedOf({ status, createdAt, updatedAt }: Reservation): Passed<ReservationStatus>[] {
  const first = { name: 'IN_PROGRESS' as const, at: createdAt };
  return status === 'IN_PROGRESS' ? [first] : [first, { name: status, at: updatedAt }];
}

function factsOf(reservation: Reservation): Fact[] {
  const { correlationId, status, attempts, recipient, user, operation } = reservation;
  const { fields } = words.value;
  return [
    referenceFact(correlationId),
    [fields.status, <Status key="status" value={status} />],
    [fields.received, <Money key="recipient" of={recipient} />],
    [fields.attempts, attempts],
    ...askedFacts(reservation),
    userFact(user),
    payerFact(operation?.contact),
    payoutFact(operation?.destinationPaymentMethod),
    operationFact(operation),
    ...timeFacts(reservation, ['createdAt', 'updatedAt']),
    idsFact({ correlationId }),
  ];
}
