import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import type { Filter } from '../list-source.ts';
import { type ListAddress, ListFrame, useListAddress } from '../parts/list-frame.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import type { Column } from '../parts/table.tsx';
import { Bad, None, Since, Time } from '../parts/values.tsx';
import { PageTable } from '../screens/plain-list.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { BadCount, Count, StuckCount } from './counts.tsx';
import { NextPage } from './next-page.tsx';

type Tenant = DataOf<'platformTenants'>['platform']['tenants']['nodes'][number];

const SIZE = 50;
const FIELDS: readonly Filter[] = [{ kind: 'text', name: 'tenant' }];

/** The partners, each with open work and problems. */
export function Tenants() {
  const address = useListAddress(FIELDS);
  return (
    <ListFrame title={words.value.nav.tenants} source={{ fields: FIELDS }} address={address}>
      <TenantPage key={address.hrefOf(address.position)} address={address} />
    </ListFrame>
  );
}

function TenantPage({ address }: { readonly address: ListAddress }) {
  const { values, position } = address;
  const query = useQuery('platformTenants', {
    first: SIZE,
    ...(position.after && { after: position.after }),
    ...(values.tenant && { search: values.tenant }),
  });
  useFresh(query);
  const tenants = query.data?.platform.tenants;
  return (
    <>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!tenants && !query.error && <Loading place="rows" />}
      {tenants && (
        <>
          <PageTable
            title={words.value.nav.tenants}
            empty={<Empty>{words.value.operators.none.tenants}</Empty>}
            address={address}
            columns={columns()}
            keyOf={({ id }) => id}
            rows={tenants.nodes}
          />
          <NextPage address={address} pageInfo={tenants.pageInfo} />
        </>
      )}
    </>
  );
}

function columns(): readonly Column<Tenant>[] {
  const { fields, operators: say } = words.value;
  return [
    { name: 'name', label: fields.name, cell: ({ name }) => <span class="number">{name}</span> },
    { name: 'id', label: fields.id, cell: ({ id }) => <code>{id}</code> },
    {
      name: 'remittances',
      label: say.stuck,
      isNumber: true,
      cell: ({ id, remittances }) => <Stuck id={id} of={remittances} />,
    },
    {
      name: 'webhooks',
      label: fields.pending,
      isNumber: true,
      cell: ({ webhooks }) => <Waiting of={webhooks} />,
    },
    {
      name: 'deadLetters',
      label: say.deadLetters,
      isNumber: true,
      cell: ({ webhooks }) => <BadCount of={webhooks?.deadLettered ?? null} otherwise={<TooMany />} />,
    },
    {
      name: 'endpoints',
      label: words.value.nav.endpoints,
      cell: ({ endpoints }) => <Endpoints of={endpoints} />,
    },
    {
      name: 'operations',
      label: say.openOperations,
      isNumber: true,
      cell: ({ openOperations }) => <Known of={openOperations} />,
    },
    {
      name: 'moneyRequests',
      label: say.openMoneyRequests,
      isNumber: true,
      cell: ({ openMoneyRequests }) => <Known of={openMoneyRequests} />,
    },
    {
      name: 'calls',
      label: say.inProgress,
      isNumber: true,
      cell: ({ remittances }) => <Known of={remittances?.inProgress ?? null} />,
    },
    { name: 'live', label: say.liveKeys, isNumber: true, cell: ({ keys }) => <Count of={keys.live} /> },
    {
      name: 'sandbox',
      label: say.sandboxKeys,
      isNumber: true,
      cell: ({ keys }) => <Count of={keys.sandbox} />,
    },
    { name: 'used', label: fields.lastUsedAt, cell: ({ keys }) => <Time of={keys.lastUsedAt} /> },
    { name: 'country', label: fields.country, cell: ({ country }) => country ?? <None /> },
    { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
  ];
}

function Known({ of }: { readonly of: number | null }) {
  return <Count of={of} otherwise={<TooMany />} />;
}

/** There are too many records to count in time. */
function TooMany() {
  return <span class="none">{words.value.operators.tooMany}</span>;
}

function Stuck({ id, of }: { readonly id: string; readonly of: Tenant['remittances'] }) {
  return (
    <>
      <StuckCount of={of?.stuck ?? null} otherwise={<TooMany />} tenantId={id} />
      {of?.stuckSince && (
        <>
          {' · '}
          <Since of={of.stuckSince} />
        </>
      )}
    </>
  );
}

function Waiting({ of }: { readonly of: Tenant['webhooks'] }) {
  return (
    <>
      <Known of={of?.pending ?? null} />
      {of?.oldestPendingAt && (
        <>
          {' · '}
          <Since of={of.oldestPendingAt} />
        </>
      )}
    </>
  );
}

/** The number of endpoints, and of those that do not get everything. */
function Endpoints({
  of: { total, paused, breakerOpen, breakerHalfOpen },
}: {
  readonly of: Tenant['endpoints'];
}) {
  const { operators: say } = words.value;
  const number = (count: number) => formatNumber(count, language.value);
  return (
    <>
      {number(total)}
      {breakerOpen + breakerHalfOpen > 0 && (
        <>
          {' · '}
          <Bad>{say.failing(number(breakerOpen + breakerHalfOpen))}</Bad>
        </>
      )}
      {paused > 0 && ` · ${say.paused(number(paused))}`}
    </>
  );
}
