import { PlatformRemittanceList } from '../documents/types.ts';
import { chosen } from '../filters.ts';
import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import type { Filter } from '../list-source.ts';
import { type ListAddress, ListFrame, useListAddress } from '../parts/list-frame.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Bad, Named, None, Since, Time } from '../parts/values.tsx';
import { PageTable } from '../screens/plain-list.tsx';
import { mayOperate } from '../session.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { End, Retry } from './act.tsx';
import { NextPage } from './next-page.tsx';

type Remittance = DataOf<'platformRemittances'>['platform']['remittances']['nodes'][number];

const SIZE = 50;
const LISTS = Object.values(PlatformRemittanceList);
const FIELDS: readonly Filter[] = [
  { kind: 'one', name: 'list', options: LISTS },
  { kind: 'text', name: 'tenantId' },
];

/** Remittances of all partners that need an operator, with the acts on them. */
export function StuckCalls() {
  const address = useListAddress(FIELDS);
  return (
    <ListFrame title={words.value.nav.stuckCalls} source={{ fields: FIELDS }} address={address}>
      <StuckPage key={address.hrefOf(address.position)} address={address} />
    </ListFrame>
  );
}

function StuckPage({ address }: { readonly address: ListAddress }) {
  const { values, position } = address;
  const query = useQuery('platformRemittances', {
    list: chosen(values.list, LISTS)?.[0] ?? PlatformRemittanceList.STUCK,
    first: SIZE,
    ...(position.after && { after: position.after }),
    ...(values.tenantId && { tenantId: values.tenantId }),
  });
  useFresh(query);
  const found = query.data?.platform.remittances;
  return (
    <>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!found && !query.error && <Loading place="rows" />}
      {found && (
        <>
          <PageTable
            title={words.value.nav.stuckCalls}
            empty={<Empty>{words.value.operators.none.stuckCalls}</Empty>}
            address={address}
            columns={columns(query.reload)}
            keyOf={({ id }) => id}
            rows={found.nodes}
          />
          <NextPage address={address} pageInfo={found.pageInfo} />
        </>
      )}
    </>
  );
}

function columns(reload: () => void): readonly Column<Remittance>[] {
  const { fields, values, operators: say } = words.value;
  return [
    { name: 'tenant', label: fields.tenantId, cell: ({ tenantId }) => <code>{tenantId}</code> },
    { name: 'environment', label: fields.environment, cell: ({ environment }) => values[environment] },
    { name: 'id', label: fields.correlationId, cell: ({ correlationId }) => <code>{correlationId}</code> },
    { name: 'phase', label: fields.phase, cell: ({ phase }) => <Named value={phase} /> },
    { name: 'since', label: say.since, cell: ({ phaseSince }) => <Since of={phaseSince} /> },
    {
      name: 'attempts',
      label: fields.attempts,
      isNumber: true,
      cell: ({ attempts }) => formatNumber(attempts, language.value),
    },
    { name: 'next', label: fields.nextAttemptAt, cell: ({ nextAttemptAt }) => <Time of={nextAttemptAt} /> },
    { name: 'error', label: fields.lastError, cell: (row) => <LastError of={row} /> },
    { name: 'asked', label: say.payer, cell: (row) => <Payer of={row} /> },
    { name: 'acts', label: say.acts, cell: (row) => <Acts of={row} onDone={reload} /> },
  ];
}

function LastError({ of: { lastErrorCode, lastErrorMessage } }: { readonly of: Remittance }) {
  if (lastErrorCode === null) {
    return <None />;
  }
  return lastErrorMessage === null ? <code>{lastErrorCode}</code> : <span>{lastErrorMessage}</span>;
}

function Payer({ of: { payerMayHaveBeenAsked, withdrawalStatus } }: { readonly of: Remittance }) {
  const { operators: say } = words.value;
  if (!payerMayHaveBeenAsked) {
    return <None />;
  }
  return (
    <>
      <Bad>{say.asked}</Bad>
      {withdrawalStatus && (
        <>
          {' · '}
          <Named value={withdrawalStatus} />
        </>
      )}
    </>
  );
}

/** The acts that are possible; for a session that only reads, whether there are any. */
function Acts({ of, onDone }: { readonly of: Remittance; readonly onDone: () => void }) {
  const { operators: say } = words.value;
  const { id, correlationId, whyNotRetry, whyNotFail } = of;
  if (!mayOperate()) {
    return <span class="none">{say.readOnly}</span>;
  }
  const common = { id, subject: correlationId, onDone };
  return (
    <>
      {whyNotRetry === null && <Retry {...common} />} {whyNotFail === null && <End {...common} />}
      {whyNotRetry !== null && whyNotFail !== null && <span class="none">{whyNotFail}</span>}
    </>
  );
}
