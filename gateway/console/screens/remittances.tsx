import { RemittanceStatus } from '../documents/types.ts';
import { withoutStatus } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import type { ListSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { StatusTabs } from '../parts/status-tabs.tsx';
import { Money, NextAttempt, None, nameOf, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { LiveList } from './live-list.tsx';
import { pathOf } from './paths.ts';

type Row = DataOf<'remittances'>['remittances']['nodes'][number];

const STATUSES = Object.values(RemittanceStatus);

const SOURCE: ListSource<'remittances', 'remittanceChanges', Row> = {
  list: 'remittances',
  changes: 'remittanceChanges',
  csv: 'remittances',
  fields: [
    { kind: 'choice', name: 'status', options: STATUSES, of: ({ status }) => status },
    { kind: 'yes-no', name: 'isStuck', of: ({ isStuck }) => isStuck },
    { kind: 'span' },
  ],
  keyOf: ({ correlationId }) => correlationId,
  createdAt: (row) => row.createdAt,
  rowsOf: ({ remittances }) => remittances,
  rowOf: ({ remittanceChanged }) => remittanceChanged.remittance,
  // The operation of a call has its correlation id.
  withOperation: (row, { id, status }) =>
    row.correlationId === id ? { ...row, operation: { status } } : row,
};

export function Remittances() {
  const { nav, fields, values } = words.value;
  return (
    <LiveList
      title={nav.remittances}
      empty={<Empty next={['quickstart', 'sandbox']}>{words.value.lists.empty.remittances}</Empty>}
      source={SOURCE}
      hrefOf={({ correlationId }) => pathOf.remittance(correlationId)}
      tabs={(address) => (
        <StatusTabs
          address={address}
          statuses={STATUSES}
          document="remittanceCounts"
          variables={withoutStatus(address.where)}
          countsOf={({ inProgress, failed }) => ({
            IN_PROGRESS: inProgress.totalCount,
            FAILED: failed.totalCount,
          })}
          uncounted={['SUCCEEDED']}
        />
      )}
      columns={[
        {
          name: 'id',
          label: fields.correlationId,
          cell: ({ correlationId }) => <code>{correlationId}</code>,
        },
        {
          name: 'status',
          label: fields.status,
          // That the payer was asked says nothing about the payment, whose state is that of the operation.
          cell: ({ status, operation, nextAttemptAt }) => (
            <>
              <Status value={operation?.status ?? status} />
              <NextAttempt at={nextAttemptAt} />
            </>
          ),
        },
        { name: 'user', label: fields.user, cell: ({ user }) => nameOf(user) },
        { name: 'phase', label: fields.phase, cell: ({ phase }) => values[phase] },
        {
          name: 'received',
          label: fields.received,
          isNumber: true,
          cell: ({ recipient }) => <Money of={recipient} />,
        },
        { name: 'attempts', label: fields.attempts, isNumber: true, cell: ({ attempts }) => attempts },
        {
          name: 'error',
          label: fields.lastError,
          cell: ({ lastError }) =>
            lastError ? <span title={lastError.code}>{lastError.message}</span> : <None />,
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}
