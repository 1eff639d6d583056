import type { DataOf } from '../graph.ts';
import { Connection } from '../parts/live-bar.tsx';
import { Facts, Page } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Bad, Id, nameOf, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useChanges } from '../use-entity.tsx';
import { useQuery } from '../use-query.tsx';
import { pathOf } from './paths.ts';

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

function factsOf(remittance: Remittance) {
  const { correlationId, status, phase, attempts, isStuck, nextAttemptAt, user, operation } = remittance;
  const { createdAt, updatedAt } = remittance;
  const { fields, values, common } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    [fields.phase, values[phase]],
    [fields.attempts, attempts],
    [fields.isStuck, isStuck ? <Bad key="stuck">{common.yes}</Bad> : undefined],
    [fields.nextAttemptAt, nextAttemptAt ? <Time key="next" of={nextAttemptAt} /> : undefined],
    [
      fields.user,
      <a key="user" href={pathOf.user(user.id)}>
        {nameOf(user)}
      </a>,
    ],
    [
      fields.operation,
      operation ? (
        <a href={pathOf.operation(operation.id)}>
          {operation.code} · {values[operation.status]}
        </a>
      ) : undefined,
    ],
    [fields.createdAt, <Time key="created" of={createdAt} />],
    [fields.updatedAt, <Time key="updated" of={updatedAt} />],
    [fields.correlationId, <Id key="id" of={correlationId} />],
  ] as const;
}
