import { FailureCause, OperationStatus } from '../documents/types.ts';
import { withoutStatus } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import type { ListSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { countByStatus, StatusTabs } from '../parts/status-tabs.tsx';
import { Money, None, nameOf, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { DetailsOf } from './facts.tsx';
import { LiveList } from './live-list.tsx';
import { pathOf } from './paths.ts';

type Row = DataOf<'operations'>['operations']['nodes'][number];

const STATUSES = Object.values(OperationStatus);
const CAUSES = Object.values(FailureCause);

const SOURCE: ListSource<'operations', 'operationChanges', Row> = {
  list: 'operations',
  changes: 'operationChanges',
  csv: 'operations',
  fields: [
    { kind: 'choice', name: 'status', options: STATUSES, of: ({ status }) => status },
    { kind: 'text', name: 'userId', of: ({ user }) => user?.id },
    { kind: 'text', name: 'referenceId', of: ({ recipientReferenceId }) => recipientReferenceId },
    { kind: 'code', name: 'currency', needsSpan: true, of: ({ recipient }) => recipient.currency },
    { kind: 'code', name: 'sourceCountry', needsSpan: true, of: (row) => row.sourceCountry },
    { kind: 'code', name: 'destinationCountry', needsSpan: true, of: (row) => row.destinationCountry },
    {
      kind: 'choice',
      name: 'failureCause',
      options: CAUSES,
      needsSpan: true,
      of: ({ failureCause }) => failureCause,
    },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  createdAt: (row) => row.createdAt,
  rowsOf: ({ operations }) => operations,
  rowOf: ({ operationStatusChanged }) => operationStatusChanged.operation,
};

export function Operations() {
  const { nav, fields } = words.value;
  return (
    <LiveList
      title={nav.operations}
      empty={<Empty next={['quickstart', 'sandbox']}>{words.value.lists.empty.operations}</Empty>}
      source={SOURCE}
      hrefOf={({ id }) => pathOf.operation(id)}
      tabs={(address) => (
        <StatusTabs
          address={address}
          statuses={STATUSES}
          document="operationCounts"
          variables={{ where: withoutStatus(address.where) }}
          countsOf={({ operationTotals }) => countByStatus(operationTotals)}
        />
      )}
      columns={[
        { name: 'code', label: fields.code, cell: ({ code }) => <code>{code}</code> },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        {
          name: 'details',
          label: fields.statusDetails,
          cell: (row) => <DetailsOf of={row} />,
        },
        {
          name: 'received',
          label: fields.received,
          isNumber: true,
          cell: ({ recipient }) => <Money of={recipient} />,
        },
        { name: 'user', label: fields.user, cell: ({ user }) => (user ? nameOf(user) : <None />) },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        { name: 'updatedAt', label: fields.updatedAt, cell: ({ updatedAt }) => <Time of={updatedAt} /> },
      ]}
    />
  );
}
