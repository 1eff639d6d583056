import type { DataOf } from '../graph.ts';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Bad, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

type Process = DataOf<'platformProcesses'>['platform']['processes'][number];

/** The processes that run, or have just been killed. */
export function Processes() {
  const query = useQuery('platformProcesses', {});
  useFresh(query);
  const { nav } = words.value;
  const processes = query.data?.platform.processes;
  return (
    <Page title={nav.processes}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!processes && !query.error && <Loading place="rows" />}
      {processes?.length === 0 && <Empty>{words.value.operators.none.processes}</Empty>}
      {processes && processes.length > 0 && <ProcessTable of={processes} />}
    </Page>
  );
}

function ProcessTable({ of }: { readonly of: readonly Process[] }) {
  const { nav, fields, operators: say } = words.value;
  const versions = new Set(of.map(({ version }) => version)).size;
  return (
    <>
      {versions > 1 && (
        <p>
          <Bad>{say.versions(versions)}</Bad>
        </p>
      )}
      <Table
        caption={nav.processes}
        rows={of}
        keyOf={({ id }) => id}
        columns={[
          { name: 'role', label: say.role, cell: ({ role }) => <code>{role}</code> },
          {
            name: 'state',
            label: fields.status,
            cell: ({ isSilent }) =>
              isSilent ? <Status value="SILENT" /> : <Status value="RUNNING" tone="good" />,
          },
          { name: 'version', label: say.version, cell: ({ version }) => <code>{version}</code> },
          { name: 'host', label: say.host, cell: ({ host }) => host },
          { name: 'pid', label: say.pid, isNumber: true, cell: ({ pid }) => pid },
          { name: 'startedAt', label: say.startedAt, cell: ({ startedAt }) => <Time of={startedAt} /> },
          { name: 'seenAt', label: say.seenAt, cell: ({ seenAt }) => <Time of={seenAt} /> },
        ]}
      />
    </>
  );
}
