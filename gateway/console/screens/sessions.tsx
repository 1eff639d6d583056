import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Page } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { None, Time } from '../parts/values.tsx';
import { isAdmin } from '../session.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';

type Session = DataOf<'sessions'>['consoleSessions'][number];

/** The open sessions of the console, and unused links to it. */
export function Sessions() {
  const { nav, sessions: say } = words.value;
  const query = useQuery('sessions', {});
  const open = query.data?.consoleSessions;
  return (
    <Page title={nav.sessions}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!open && !query.error && <Loading place="rows" />}
      {open && <SessionTable sessions={open} onChanged={query.reload} />}
      <p>{say.how}</p>
    </Page>
  );
}

interface SessionTableProps {
  readonly sessions: readonly Session[];
  readonly onChanged: () => void;
}

function SessionTable({ sessions, onChanged }: SessionTableProps) {
  const { nav, fields, sessions: say } = words.value;
  const { values: roles } = words.value.access;
  return (
    <Table
      caption={nav.sessions}
      rows={sessions}
      keyOf={({ id }) => id}
      columns={[
        {
          name: 'who',
          label: fields.who,
          cell: ({ label, isCurrent }) => (
            <>
              {label || <None />} {isCurrent && <em>{say.current}</em>}
            </>
          ),
        },
        { name: 'access', label: fields.scopes, cell: ({ access }) => roles[access] },
        {
          name: 'madeBy',
          label: say.madeBy,
          cell: ({ apiKeyId, issuer }) =>
            issuer ?? (apiKeyId === null ? say.operator : <code>{apiKeyId}</code>),
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        { name: 'lastSeenAt', label: fields.lastUsedAt, cell: ({ lastSeenAt }) => <Time of={lastSeenAt} /> },
        { name: 'endsAt', label: fields.endsAt, cell: ({ endsAt }) => <Time of={endsAt} /> },
        {
          name: 'actions',
          label: '',
          cell: ({ id, label, isCurrent }) =>
            isAdmin() && !isCurrent && <RevokeSession id={id} label={label} onDone={onChanged} />,
        },
      ]}
    />
  );
}

interface RevokeSessionProps {
  readonly id: string;
  readonly label: string;
  readonly onDone: () => void;
}

function RevokeSession({ id, label, onDone }: RevokeSessionProps) {
  const { sessions: say } = words.value;
  return (
    <ConfirmedAction
      document="revokeSession"
      variables={{ input: { id } }}
      verb={say.revoke}
      title={`${say.revoke}: ${label || id}`}
      isSmall
      onDone={onDone}
    >
      <p>{say.revokeWhat}</p>
    </ConfirmedAction>
  );
}
