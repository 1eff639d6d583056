import type { DataOf } from '../graph.ts';
import type { Filter } from '../list-source.ts';
import { ExportButton } from '../parts/export-button.tsx';
import { type ListAddress, ListFrame, useListAddress } from '../parts/list-frame.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { None, Time } from '../parts/values.tsx';
import { PageTable } from '../screens/plain-list.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { NextPage } from './next-page.tsx';

type Entry = DataOf<'operatorLog'>['platform']['operatorLog']['nodes'][number];

const SIZE = 50;
const FIELDS: readonly Filter[] = [
  { kind: 'text', name: 'tenantId' },
  { kind: 'text', name: 'act' },
  { kind: 'span' },
];

/** The acts of the platform's operators, newest first. */
export function OperatorLog() {
  const address = useListAddress(FIELDS);
  return (
    <ListFrame
      title={words.value.nav.operatorLog}
      source={{ fields: FIELDS, csv: 'operator-log' }}
      address={address}
      actions={<ExportButton name="operator-log" where={address.where} format="jsonl" />}
    >
      <LogPage key={address.hrefOf(address.position)} address={address} />
    </ListFrame>
  );
}

function LogPage({ address }: { readonly address: ListAddress }) {
  const { after } = address.position;
  const query = useQuery('operatorLog', {
    where: address.where,
    first: SIZE,
    ...(after && { after }),
  });
  const found = query.data?.platform.operatorLog;
  if (!found) {
    return query.error ? <Failed error={query.error} onRetry={query.reload} /> : <Loading place="rows" />;
  }
  return (
    <>
      <PageTable
        title={words.value.nav.operatorLog}
        empty={<Empty>{words.value.operators.none.operatorLog}</Empty>}
        address={address}
        columns={columns()}
        keyOf={({ id }) => id}
        rows={found.nodes}
      />
      <NextPage address={address} pageInfo={found.pageInfo} />
    </>
  );
}

function columns(): readonly Column<Entry>[] {
  const { fields, operators: say } = words.value;
  return [
    { name: 'at', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} isExact /> },
    { name: 'actor', label: fields.by, cell: (entry) => <Actor of={entry} /> },
    { name: 'act', label: fields.act, cell: ({ act }) => <code>{act}</code> },
    {
      name: 'tenant',
      label: fields.tenantId,
      cell: ({ tenantId }) => (tenantId ? <code>{tenantId}</code> : <None />),
    },
    {
      name: 'subject',
      label: fields.subject,
      cell: ({ subject }) => (subject ? <code>{subject}</code> : <None />),
    },
    { name: 'reason', label: say.reason, cell: ({ reason }) => reason ?? <None /> },
    { name: 'before', label: say.before, cell: ({ before }) => <State of={before} /> },
    { name: 'after', label: say.after, cell: ({ after }) => <State of={after} /> },
  ];
}

/** The label of a session, or the user and the machine of a command. */
function Actor({ of: { actor, sessionId, host } }: { readonly of: Entry }) {
  return (
    <>
      {actor} <code>{host ?? sessionId}</code>
    </>
  );
}

function State({ of }: { readonly of: Entry['before'] }) {
  return of === null ? <None /> : <code class="long">{JSON.stringify(of)}</code>;
}
