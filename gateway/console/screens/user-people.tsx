import { useEffect, useRef } from 'preact/hooks';
import type { ConsoleContactFragment, ConsolePaymentMethodFragment } from '../documents/types.ts';
import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Icon } from '../parts/icon.tsx';
import { Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { None, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';

type User = NonNullable<DataOf<'user'>['user']>;
/** The record that a search has found; null if the address names none, or an unknown one. */
type Found = NonNullable<DataOf<'user'>['found']> | null;

/**
 * The user's contacts and payout methods. Phone and account numbers are not read, because they identify people.
 */
export function People({ user, found }: { readonly user: User; readonly found: Found }) {
  const isOwn = found !== null && 'user' in found && found.user.id === user.id;
  return (
    <>
      <Contacts
        rows={withFound(user.contacts.nodes, isOwn && found.__typename === 'Contact' ? found : undefined)}
        found={isOwn ? found.nodeId : undefined}
      />
      <PaymentMethods
        rows={withFound(
          user.paymentMethods.nodes,
          isOwn && found.__typename === 'PaymentMethod' ? found : undefined,
        )}
        found={isOwn ? found.nodeId : undefined}
      />
    </>
  );
}

interface Row {
  readonly nodeId: string;
}

/** The latest rows, and before them the found one, if it is older. */
function withFound<One extends Row>(rows: readonly One[], found: One | undefined): readonly One[] {
  return found === undefined || rows.some(({ nodeId }) => nodeId === found.nodeId) ? rows : [found, ...rows];
}

interface RowsProps<One> {
  readonly rows: readonly One[];
  /** The nodeId of the row that is marked. */
  readonly found: string | undefined;
}

function Contacts({ rows, found }: RowsProps<ConsoleContactFragment>) {
  const { user, fields } = words.value;
  return (
    <Rows
      title={user.recentContacts}
      empty={words.value.empty.contacts}
      rows={rows}
      found={found}
      columns={[
        {
          name: 'name',
          label: fields.name,
          cell: ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ') || <None />,
        },
        { name: 'country', label: fields.country, cell: ({ contactCountry }) => contactCountry ?? <None /> },
        {
          name: 'requests',
          label: fields.requests,
          isNumber: true,
          cell: ({ requests }) => formatNumber(requests, language.value),
        },
        {
          name: 'last',
          label: fields.lastRequestedAt,
          cell: ({ lastRequestedAt }) => <Time of={lastRequestedAt} />,
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}

function PaymentMethods({ rows, found }: RowsProps<ConsolePaymentMethodFragment>) {
  const { user, fields, values, common } = words.value;
  return (
    <Rows
      title={user.recentPaymentMethods}
      empty={words.value.empty.paymentMethods}
      rows={rows}
      found={found}
      columns={[
        { name: 'type', label: fields.payoutMethod, cell: ({ type }) => values[type] },
        { name: 'country', label: fields.country, cell: ({ country }) => country },
        { name: 'currency', label: fields.currency, cell: ({ currency }) => currency },
        {
          name: 'primary',
          label: fields.isPrimary,
          cell: ({ isPrimary }) => (isPrimary ? common.yes : common.no),
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}

interface TableOfProps<One extends Row> extends RowsProps<One> {
  readonly title: string;
  /** How rows come to be. */
  readonly empty: string;
  readonly columns: readonly Column<One>[];
}

function Rows<One extends Row>({ title, empty, rows, found, columns }: TableOfProps<One>) {
  return (
    <Section title={title}>
      {rows.length === 0 ? (
        <Empty>{empty}</Empty>
      ) : (
        <Table
          caption={title}
          rows={rows}
          keyOf={({ nodeId }) => nodeId}
          columns={columns}
          markOf={({ nodeId }) => nodeId === found && <FoundMark />}
        />
      )}
    </Section>
  );
}

/** Marks the row that was searched, and brings it into sight once the screen has the focus. */
function FoundMark() {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    const frame = requestAnimationFrame(() => mark.current?.scrollIntoView({ block: 'center' }));
    return () => cancelAnimationFrame(frame);
  }, []);
  return (
    <mark ref={mark}>
      <Icon name="search" /> {words.value.user.found}
    </mark>
  );
}
