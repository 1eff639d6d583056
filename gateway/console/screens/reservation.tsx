import type { DataOf } from '../graph.ts';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Money, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { askedFacts, type Fact, idFact, operationFact, timeFacts, userFact } from './facts.tsx';

type Reservation = NonNullable<DataOf<'reservation'>['reservation']>;

/** A request by v2. While it has no operation, it has no other screen. */
export function ReservationScreen({ id }: { readonly id: string }) {
  const query = useQuery('reservation', { correlationId: id });
  return (
    <Loaded title={words.value.fields.reservation} query={query} of={query.data?.reservation}>
      {(reservation) => (
        <Page title={words.value.fields.reservation}>
          <Facts of={factsOf(reservation)} />
          <Timeline nodeId={reservation.nodeId} version={reservation.updatedAt} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(reservation: Reservation): Fact[] {
  const { correlationId, status, attempts, recipient, user, operation } = reservation;
  const { fields } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    [fields.received, <Money key="recipient" of={recipient} />],
    [fields.attempts, attempts],
    ...askedFacts(reservation),
    userFact(user),
    operationFact(operation),
    ...timeFacts(reservation, ['createdAt', 'updatedAt']),
    idFact(fields.correlationId, correlationId),
  ];
}
