import { PlatformSettingSource } from '../documents/types.ts';
import { chosen, yesNo } from '../filters.ts';
import type { Filter } from '../list-source.ts';
import { type ListAddress, ListFrame, useListAddress } from '../parts/list-frame.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Bad, None } from '../parts/values.tsx';
import { PageTable } from '../screens/plain-list.tsx';
import { words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { compareSettings, filterSettings, type SettingRow } from './settings.ts';

const SOURCES = Object.values(PlatformSettingSource);
const FIELDS: readonly Filter[] = [
  { kind: 'text', name: 'setting' },
  { kind: 'one', name: 'source', options: SOURCES },
  { kind: 'yes-no', name: 'differs' },
];

/** The configuration in force, of all processes in one list. */
export function Settings() {
  const address = useListAddress(FIELDS);
  const query = useQuery('platformSettings', {});
  useFresh(query);
  const processes = query.data?.platform.processes;
  return (
    <ListFrame title={words.value.nav.settings} source={{ fields: FIELDS }} address={address}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!processes && !query.error && <Loading place="rows" />}
      {processes && <SettingTable rows={compareSettings(processes)} address={address} />}
    </ListFrame>
  );
}

interface SettingTableProps {
  readonly rows: readonly SettingRow[];
  readonly address: ListAddress;
}

function SettingTable({ rows, address }: SettingTableProps) {
  const { nav, fields, values, operators: say } = words.value;
  const { setting, source, differs } = address.values;
  const shown = filterSettings(rows, {
    name: setting,
    source: chosen(source, SOURCES)?.[0],
    differs: yesNo(differs),
  });
  return (
    <PageTable
      title={nav.settings}
      empty={<Empty>{words.value.operators.none.settings}</Empty>}
      address={address}
      rows={shown}
      keyOf={({ key }) => key}
      columns={[
        { name: 'name', label: fields.setting, cell: ({ name }) => <code>{name}</code> },
        { name: 'value', label: say.value, cell: (row) => <Value of={row} /> },
        { name: 'source', label: fields.source, cell: (row) => values[row.source] },
        {
          name: 'processes',
          label: nav.processes,
          cell: ({ differs: isOther, processes }) =>
            isOther ? <Bad>{processes.join('; ')}</Bad> : say.allProcesses,
        },
      ]}
    />
  );
}

/** For a secret, the screen only shows that it is set. */
function Value({ of: { value, source, isSecret } }: { readonly of: SettingRow }) {
  if (isSecret && source !== 'DEFAULT') {
    return <span class="none">{words.value.operators.secret}</span>;
  }
  return value === null ? <None /> : <code class="long">{value}</code>;
}
