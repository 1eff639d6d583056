import { formatNumber } from '../format.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Status, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

/** The work that only one process at a time may do, and its current holders. */
export function Leases() {
  const query = useQuery('platformLeases', {});
  useFresh(query);
  const { nav, fields, operators: say } = words.value;
  const leases = query.data?.platform.leases;
  return (
    <Page title={nav.leases}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!leases && !query.error && <Loading place="rows" />}
      {leases?.length === 0 && <Empty>{say.none.leases}</Empty>}
      {leases && leases.length > 0 && (
        <Table
          caption={nav.leases}
          rows={leases}
          keyOf={({ name }) => name}
          columns={[
            { name: 'name', label: fields.name, cell: ({ name }) => <code>{name}</code> },
            { name: 'state', label: fields.status, cell: ({ state }) => <Status value={state} /> },
            {
              name: 'term',
              label: say.term,
              isNumber: true,
              cell: ({ term }) => formatNumber(term, language.value),
            },
            { name: 'until', label: say.until, cell: ({ until }) => <Time of={until} /> },
          ]}
        />
      )}
    </Page>
  );
}
