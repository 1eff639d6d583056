import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Bad, Status } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import { askedFacts, type Fact, idFact, operationFact, timeFactIf, timeFacts, userFact } from './facts.tsx';

type Remittance = NonNullable<DataOf<'remittance'>['remittance']>;

export function RemittanceScreen({ id }: { readonly id: string }) {
  const query = useQuery('remittance', { correlationId: id });
  const connection = useChanges(
    'remittanceChanges',
    ({ remittanceChanged }) => remittanceChanged.remittance?.correlationId === id,
    query.reload,
  );
  return (
    <Loaded title={words.value.fields.remittance} query={query} of={query.data?.remittance}>
      {(remittance) => (
        <Page title={words.value.fields.remittance} actions={<Connection state={connection} />}>
          <Facts of={factsOf(remittance)} />
          <Timeline nodeId={remittance.nodeId} version={`${remittance.updatedAt} ${remittance.attempts}`} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf(remittance: Remittance): Fact[] {
  const { correlationId, status, phase, attempts, isStuck, nextAttemptAt, user, operation } = remittance;
  const { fields, values, common } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    [fields.phase, values[phase]],
    [fields.attempts, attempts],
    [fields.isStuck, isStuck ? <Bad key="stuck">{common.yes}</Bad> : undefined],
    ...askedFacts(remittance),
    timeFactIf('nextAttemptAt', nextAttemptAt),
    userFact(user),
    operationFact(operation),
    ...timeFacts(remittance, ['createdAt', 'updatedAt']),
    idFact(fields.correlationId, correlationId),
  ];
}
