import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { wordsOfField } from '../language/user-data.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Needs } from '../parts/needs.tsx';
import { Facts, Page, Section } from '../parts/page.tsx';
import { Simulate } from '../parts/simulate.tsx';
import { Empty, Loaded } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { None, Status, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { canOpen } from '../simulations.ts';
import { useQuery } from '../use-query.tsx';
import { type Fact, idFact, operationFact, timeFactIf, timeFacts, userFact } from './facts.tsx';

type Link = NonNullable<DataOf<'link'>['link']>;

export function LinkScreen({ id }: { readonly id: string }) {
  const query = useQuery('link', { id });
  return (
    <Loaded title={words.value.link.title} query={query} of={query.data?.link}>
      {(link) => (
        <Page
          title={`${words.value.link.title}: ${words.value.values[link.flow]}`}
          actions={
            <>
              {link.status !== 'REVOKED' && (
                <Needs access="operate" act={words.value.link.revoke}>
                  <RevokeLink id={link.id} onDone={query.reload} />
                </Needs>
              )}
              <Simulate
                document="simulateLinkOpened"
                choices={
                  canOpen(link, Date.now())
                    ? [{ label: words.value.simulate.opened, variables: { input: { linkId: link.id } } }]
                    : []
                }
                onDone={query.reload}
              />
            </>
          }
        >
          <Facts of={factsOf(link)} />
          <Activities of={link.activities.nodes} />
        </Page>
      )}
    </Loaded>
  );
}

const nameOfField = (field: string) => wordsOfField(field, language.value);

function factsOf(link: Link): Fact[] {
  const { status, referenceId, user, operation, readiness } = link;
  const { fields, link: say } = words.value;
  return [
    [fields.status, <Status key="status" value={status} />],
    userFact(user, referenceId),
    operationFact(operation),
    [
      fields.readiness,
      readiness.ready ? say.ready : `${say.missing}: ${readiness.missing.map(nameOfField).join(', ')}`,
    ],
    ...timeFacts(link, ['createdAt', 'openedAt']),
    timeFactIf('revokedAt', link.revokedAt),
    ...timeFacts(link, ['expiresAt']),
    idFact(fields.id, link.id),
  ];
}

function Activities({ of }: { readonly of: Link['activities']['nodes'] }) {
  const { link, fields, values } = words.value;
  return (
    <Section title={link.activity}>
      {of.length === 0 ? (
        <Empty>{words.value.empty.activity}</Empty>
      ) : (
        <Table
          caption={link.activity}
          rows={of}
          keyOf={({ id }) => id}
          columns={[
            {
              name: 'at',
              label: words.value.charts.time,
              cell: ({ occurredAt }) => <Time of={occurredAt} />,
            },
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
      )}
    </Section>
  );
}

function RevokeLink({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const { link } = words.value;
  return (
    <ConfirmedAction
      document="revokeLink"
      variables={{ input: { linkId: id } }}
      verb={link.revoke}
      onDone={onDone}
    >
      <p>{link.revokeWhat}</p>
    </ConfirmedAction>
  );
}
