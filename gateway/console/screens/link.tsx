import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { AskedAction } from '../parts/asked-action.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Id, None, nameOf, Status, Time } from '../parts/values.tsx';
import { isAdmin } from '../session.tsx';
import { language, words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { pathOf } from './paths.ts';

type Link = NonNullable<DataOf<'link'>['link']>;

export function LinkScreen({ id }: { readonly id: string }) {
  const query = useQuery('link', { id });
  return (
    <Loaded title={words.value.link.title} query={query} of={query.data?.link}>
      {(link) => (
        <Page
          title={`${words.value.link.title}: ${words.value.values[link.flow]}`}
          actions={
            isAdmin() && link.status !== 'REVOKED' && <RevokeLink id={link.id} onDone={query.reload} />
          }
        >
          <Facts of={factsOf(link)} />
          <Activities of={link.activities.nodes} />
        </Page>
      )}
    </Loaded>
  );
}

function factsOf({ id, status, referenceId, user, operation, readiness, ...times }: Link) {
  const { fields, link: say, values } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    [fields.user, user ? <a href={pathOf.user(user.id)}>{nameOf(user)}</a> : referenceId],
    [
      fields.operation,
      operation ? (
        <a href={pathOf.operation(operation.id)}>
          {operation.code} · {values[operation.status]}
        </a>
      ) : undefined,
    ],
    [fields.readiness, readiness.ready ? say.ready : `${say.missing}: ${readiness.missing.join(', ')}`],
    [fields.createdAt, <Time key="created" of={times.createdAt} />],
    [fields.openedAt, <Time key="opened" of={times.openedAt} />],
    [fields.revokedAt, times.revokedAt ? <Time key="revoked" of={times.revokedAt} /> : undefined],
    [fields.expiresAt, <Time key="expires" of={times.expiresAt} />],
    [fields.id, <Id key="id" of={id} />],
  ] as const;
}

function Activities({ of }: { readonly of: Link['activities']['nodes'] }) {
  const { link, fields, values } = words.value;
  return (
    <Section title={link.activity}>
      <Table
        caption={link.activity}
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          { name: 'at', label: fields.createdAt, cell: ({ occurredAt }) => <Time of={occurredAt} /> },
          { name: 'type', label: fields.event, cell: ({ type }) => values[type] },
          { name: 'actor', label: fields.who, cell: ({ actor }) => values[actor] },
          { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
          { name: 'error', label: fields.error, cell: ({ error }) => error ?? <None /> },
          {
            name: 'took',
            label: fields.took,
            isNumber: true,
            cell: ({ durationMs }) =>
              durationMs === null ? <None /> : formatDuration(durationMs, language.value),
          },
        ]}
      />
    </Section>
  );
}

function RevokeLink({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const { link } = words.value;
  return (
    <AskedAction
      document="revokeLink"
      variables={{ input: { linkId: id } }}
      verb={link.revoke}
      onDone={onDone}
    >
      <p>{link.revokeWhat}</p>
    </AskedAction>
  );
}
