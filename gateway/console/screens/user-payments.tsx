import type { FilterField } from '../filters.ts';
import { formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { type ListAddress, Pager, pageOf, useListAddress } from '../parts/list-frame.tsx';
import { Facts, Section } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Money, type NamedValue, None, Status, Time, wholeName } from '../parts/values.tsx';
import { language, timeZone, verdictLanguage, words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import type { Fact } from './facts.tsx';
import { foundOf } from './found.ts';

type User = NonNullable<DataOf<'userPayments'>['user']>;
type Payment = User['payments']['nodes'][number];
type Totals = User['paymentTotals'];

/** Rows of a page. */
const SIZE = 20;
/** The record that a search has found on the screen stays found on other pages of the payments. */
const KEPT: readonly FilterField[] = [{ kind: 'text', name: 'found' }];

/** The payments of a user, whatever records they have, with their number and sums. */
export function Payments({ id }: { readonly id: string }) {
  const address = useListAddress(KEPT);
  const { people } = words.value;
  return (
    <Section title={people.payments}>
      <PaymentPage key={address.hrefOf(address.position)} id={id} address={address} />
    </Section>
  );
}

function PaymentPage({ id, address }: { readonly id: string; readonly address: ListAddress }) {
  const query = useQuery('userPayments', {
    id,
    language: verdictLanguage.value,
    timeZone: timeZone.value,
    ...pageOf(address.position, SIZE),
  });
  const user = query.data?.user;
  if (!user) {
    return query.error ? <Failed error={query.error} onRetry={query.reload} /> : <Loading place="record" />;
  }
  const { lastActivityAt, paymentTotals, payments } = user;
  const { people } = words.value;
  if (payments.totalCount === 0) {
    return <Empty>{people.noPayments}</Empty>;
  }
  return (
    <>
      <Facts
        of={[
          ...paymentTotals.currencies.map(totalOf),
          [people.lastActivity, <Time key="last" of={lastActivityAt} />],
        ]}
      />
      {!paymentTotals.isWhole && <p>{people.isPart}</p>}
      <Table
        caption={people.payments}
        rows={payments.nodes}
        keyOf={({ id: paymentId }) => paymentId}
        hrefOf={({ record }) => foundOf(record).href}
        columns={columns()}
      />
      <Pager address={address} pageInfo={payments.pageInfo} />
    </>
  );
}

/** Number and sum in a currency, and of them what was completed. */
function totalOf({
  currency,
  count,
  amount,
  completedCount,
  completedAmount,
}: Totals['currencies'][number]): Fact {
  const { people } = words.value;
  const shown = (number: number) => formatNumber(number, language.value);
  return [
    currency,
    <>
      {people.count(count, shown(count))} · <Money of={amount} /> ({shown(completedCount)} {people.completed}{' '}
      · <Money of={completedAmount} />)
    </>,
  ];
}

function columns(): readonly Column<Payment>[] {
  const { fields, people } = words.value;
  return [
    { name: 'id', label: fields.id, cell: ({ id }) => <code>{id}</code> },
    { name: 'kind', label: people.kind, cell: ({ kind }) => people.kinds[kind] },
    {
      name: 'status',
      label: fields.status,
      cell: ({ record }) => (
        <>
          <Status value={statusOf(record)} />
          {record.verdict && <p class="sentence">{record.verdict.summary}</p>}
        </>
      ),
    },
    { name: 'amount', label: fields.amount, isNumber: true, cell: ({ amount }) => <Money of={amount} /> },
    { name: 'payer', label: people.payer, cell: ({ payer }) => (payer && wholeName(payer)) || <None /> },
    { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
    { name: 'updatedAt', label: people.changed, cell: ({ updatedAt }) => <Time of={updatedAt} /> },
  ];
}

function statusOf(record: Payment['record']): NamedValue {
  switch (record.__typename) {
    case 'Operation':
      return record.operationStatus;
    case 'RequestMoney':
      return record.requestStatus;
    case 'Remittance':
      return record.remittanceStatus;
    case 'Reservation':
      return record.reservationStatus;
  }
}
