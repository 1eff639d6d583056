import type { DataOf, DocumentName, VariablesOf } from '../graph.ts';
import { words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import type { ListAddress } from './list-frame.tsx';
import { type Tab, Tabs } from './tabs.tsx';
import type { NamedValue } from './values.tsx';

/** Records by status. A status that is missing has no record, or is not counted. */
type Counts = Readonly<Partial<Record<NamedValue, number>>>;

interface StatusTabsProps<Name extends DocumentName> {
  readonly address: ListAddress;
  readonly statuses: readonly NamedValue[];
  /** Counts the records that match the other filters. */
  readonly document: Name;
  readonly variables: VariablesOf<Name>;
  readonly countsOf: (data: DataOf<Name>) => Counts;
  /** Statuses that are not counted, because they have too many records; "All" then has no number either. */
  readonly uncounted?: readonly NamedValue[];
}

/** Tabs of a list by status. Their numbers are read again every 5 s, as the figures of the overview are. */
export function StatusTabs<Name extends DocumentName>({
  address: { values, hrefWith },
  statuses,
  document,
  variables,
  countsOf,
  uncounted = [],
}: StatusTabsProps<Name>) {
  const query = useQuery(document, variables);
  useFresh(query);
  const counts = query.data === undefined ? undefined : countsOf(query.data);
  const { common, lists, values: names } = words.value;
  const { status, ...others } = values;
  const sum = counts && statuses.reduce((total, one) => total + (counts[one] ?? 0), 0);
  const tabs: Tab[] = [
    {
      name: 'all',
      label: common.all,
      href: hrefWith(others),
      isCurrent: status === undefined,
      ...(uncounted.length === 0 && { count: sum }),
    },
    ...statuses.map((one) => ({
      name: one,
      label: names[one],
      href: hrefWith({ ...others, status: one }),
      isCurrent: status === one,
      ...(!uncounted.includes(one) && { count: counts && (counts[one] ?? 0) }),
    })),
  ];
  return <Tabs label={lists.statuses} tabs={tabs} />;
}

/** Adds up totals of several currencies. */
export function countByStatus(
  totals: readonly { readonly status: NamedValue | null; readonly count: number }[],
): Counts {
  const counts: Partial<Record<NamedValue, number>> = {};
  for (const { status, count } of totals) {
    if (status !== null) {
      counts[status] = (counts[status] ?? 0) + count;
    }
  }
  return counts;
}
