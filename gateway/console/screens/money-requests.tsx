import { FailureCause, RequestMoneyStatus } from '../documents/types.ts';
import { withoutStatus } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import type { ListSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { countByStatus, StatusTabs } from '../parts/status-tabs.tsx';
import { Money, None, Time, wholeName } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { DetailsOf, StatusOf } from './facts.tsx';
import { LiveList } from './live-list.tsx';
import { pathOf } from './paths.ts';

type Row = DataOf<'moneyRequests'>['requestMonies']['nodes'][number];

const STATUSES = Object.values(RequestMoneyStatus);
const CAUSES = Object.values(FailureCause);

const SOURCE: ListSource<'moneyRequests', 'moneyRequestChanges', Row> = {
  list: 'moneyRequests',
  changes: 'moneyRequestChanges',
  csv: 'money-requests',
  fields: [
    { kind: 'choice', name: 'status', options: STATUSES, of: ({ status }) => status },
    { kind: 'text', name: 'referenceId', of: ({ referenceId }) => referenceId },
    { kind: 'text', name: 'userReferenceId', of: ({ userReferenceId }) => userReferenceId },
    { kind: 'code', name: 'currency', needsSpan: true, of: ({ amount }) => amount.currency },
    { kind: 'code', name: 'sourceCountry', needsSpan: true, of: (row) => row.resolved.sourceCountry },
    {
      kind: 'code',
      name: 'destinationCountry',
      needsSpan: true,
      of: (row) => row.resolved.destinationCountry,
    },
    {
      kind: 'choice',
      name: 'failureCause',
      options: CAUSES,
      needsSpan: true,
      of: ({ failureCause }) => failureCause,
    },
    { kind: 'span' },
  ],
  keyOf: ({ referenceId }) => referenceId,
  createdAt: (row) => row.createdAt,
  rowsOf: ({ requestMonies }) => requestMonies,
  rowOf: ({ requestMoneyStatusChanged }) => requestMoneyStatusChanged.requestMoney,
};

export function MoneyRequests() {
  const { nav, fields } = words.value;
  return (
    <LiveList
      title={nav.moneyRequests}
      empty={<Empty next={['quickstart', 'sandbox']}>{words.value.lists.empty.moneyRequests}</Empty>}
      source={SOURCE}
      hrefOf={({ referenceId }) => pathOf.moneyRequest(referenceId)}
      tabs={(address) => (
        <StatusTabs
          address={address}
          statuses={STATUSES}
          document="moneyRequestCounts"
          variables={{ where: withoutStatus(address.where) }}
          countsOf={({ requestMoneyTotals }) => countByStatus(requestMoneyTotals)}
        />
      )}
      columns={[
        {
          name: 'referenceId',
          label: fields.referenceId,
          cell: ({ referenceId }) => <code>{referenceId}</code>,
        },
        { name: 'status', label: fields.status, cell: (row) => <StatusOf of={row} /> },
        {
          name: 'details',
          label: fields.statusDetails,
          cell: (row) => <DetailsOf of={row} />,
        },
        { name: 'amount', label: fields.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        {
          name: 'route',
          label: fields.route,
          cell: ({ resolved }) => `${resolved.sourceCountry} → ${resolved.destinationCountry}`,
        },
        {
          name: 'user',
          label: fields.user,
          cell: ({ user, userReferenceId }) => (
            <span title={userReferenceId}>{(user && wholeName(user)) || userReferenceId}</span>
          ),
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        {
          name: 'expiresAt',
          label: fields.expiresAt,
          // Only a pending request can expire.
          cell: ({ status, expiresAt }) => (status === 'PENDING' ? <Time of={expiresAt} /> : <None />),
        },
      ]}
    />
  );
}
