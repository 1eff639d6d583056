import type { ComponentProps } from 'preact';
import type { DataOf } from '../graph.ts';
import { Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Money, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { pathOf } from './paths.ts';

type User = NonNullable<DataOf<'user'>['user']>;

/** The newest payments of a user, of each kind, and the newest links. */
export function Latest({ user }: { readonly user: User }) {
  return (
    <>
      <MoneyRequests rows={user.requestMonies.nodes} />
      <Remittances rows={user.remittances.nodes} />
      <Operations rows={user.operations.nodes} />
      <Links rows={user.links.nodes} />
    </>
  );
}

type RowsProps<Row> = Omit<ComponentProps<typeof Table<Row>>, 'caption'>;

/** A table with its title, or a text if it is empty. */
function Rows<Row>({ title, ...table }: RowsProps<Row> & { readonly title: string }) {
  return (
    <Section title={title}>
      {table.rows.length === 0 ? <Empty /> : <Table caption={title} {...table} />}
    </Section>
  );
}

function MoneyRequests({ rows }: { readonly rows: User['requestMonies']['nodes'] }) {
  const { user: say, fields } = words.value;
  return (
    <Rows
      title={say.recentMoneyRequests}
      rows={rows}
      keyOf={({ referenceId }) => referenceId}
      hrefOf={({ referenceId }) => pathOf.moneyRequest(referenceId)}
      columns={[
        { name: 'id', label: fields.referenceId, cell: ({ referenceId }) => <code>{referenceId}</code> },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        { name: 'amount', label: fields.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}

function Remittances({ rows }: { readonly rows: User['remittances']['nodes'] }) {
  const { user: say, fields, values } = words.value;
  return (
    <Rows
      title={say.recentRemittances}
      rows={rows}
      keyOf={({ correlationId }) => correlationId}
      hrefOf={({ correlationId }) => pathOf.remittance(correlationId)}
      columns={[
        {
          name: 'id',
          label: fields.correlationId,
          cell: ({ correlationId }) => <code>{correlationId}</code>,
        },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        { name: 'phase', label: fields.phase, cell: ({ phase }) => values[phase] },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}

function Operations({ rows }: { readonly rows: User['operations']['nodes'] }) {
  const { user: say, fields } = words.value;
  return (
    <Rows
      title={say.recentOperations}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathOf.operation(id)}
      columns={[
        { name: 'code', label: fields.code, cell: ({ code }) => <code>{code}</code> },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        {
          name: 'amount',
          label: fields.received,
          isNumber: true,
          cell: ({ recipient }) => <Money of={recipient} />,
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}

function Links({ rows }: { readonly rows: User['links']['nodes'] }) {
  const { user: say, fields, values } = words.value;
  return (
    <Rows
      title={say.recentLinks}
      rows={rows}
      keyOf={({ id }) => id}
      hrefOf={({ id }) => pathOf.link(id)}
      columns={[
        { name: 'id', label: fields.id, cell: ({ id }) => <code>{id}</code> },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        { name: 'flow', label: fields.flow, cell: ({ flow }) => values[flow] },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}
