import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { Page, Section } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Bad, None, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { Count, StuckCount } from './counts.tsx';
import { LastHour } from './last-hour.tsx';

type Platform = DataOf<'platformQueues'>['platform'];
type Queue = Platform['queues'][number];
type Job = Platform['jobs'][number];

/** Work that is due for longer is marked: no process has taken it. */
const LATE_SECONDS = 60;

/** The waiting work of all processes, and the recurring jobs. */
export function Queues() {
  const query = useQuery('platformQueues', {});
  useFresh(query);
  const { nav, operators: say } = words.value;
  const platform = query.data?.platform;
  return (
    <Page title={nav.queues}>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!platform && !query.error && <Loading place="rows" />}
      {platform && (
        <>
          <Section title={say.queues}>
            <Rows
              caption={say.queues}
              empty={say.none.queues}
              rows={platform.queues}
              columns={queueColumns()}
            />
          </Section>
          <LastHour samples={platform.samples} />
          <Section title={say.jobs}>
            <Rows caption={say.jobs} empty={say.none.jobs} rows={platform.jobs} columns={jobColumns()} />
          </Section>
        </>
      )}
    </Page>
  );
}

interface RowsProps<Row> {
  readonly caption: string;
  /** How rows come to be. */
  readonly empty: string;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
}

function Rows<Row extends { readonly name: string }>({ caption, empty, rows, columns }: RowsProps<Row>) {
  return rows.length === 0 ? (
    <Empty>{empty}</Empty>
  ) : (
    <Table caption={caption} rows={rows} columns={columns} keyOf={({ name }) => name} />
  );
}

function queueColumns(): readonly Column<Queue>[] {
  const { fields, operators: say } = words.value;
  const count = (name: 'waiting' | 'due' | 'leased' | 'later', label: string): Column<Queue> => ({
    name,
    label,
    isNumber: true,
    cell: (queue) => <Count of={queue[name]} />,
  });
  return [
    { name: 'name', label: fields.name, cell: ({ name }) => <code>{name}</code> },
    count('waiting', fields.pending),
    count('due', say.due),
    count('leased', say.leased),
    count('later', say.later),
    {
      name: 'stuck',
      label: fields.isStuck,
      isNumber: true,
      cell: ({ stuck }) => <StuckCount of={stuck} />,
    },
    {
      name: 'oldest',
      label: say.oldest,
      isNumber: true,
      cell: ({ oldestSeconds }) => <Seconds of={oldestSeconds} />,
    },
    {
      name: 'overdue',
      label: say.overdue,
      isNumber: true,
      cell: ({ overdueSeconds }) => <Late of={overdueSeconds} />,
    },
  ];
}

function jobColumns(): readonly Column<Job>[] {
  const { fields, operators: say } = words.value;
  return [
    { name: 'name', label: fields.name, cell: ({ name }) => <code>{name}</code> },
    {
      name: 'every',
      label: say.every,
      isNumber: true,
      cell: ({ everySeconds }) => <Seconds of={everySeconds} />,
    },
    { name: 'last', label: say.lastRun, cell: ({ lastRunAt }) => <Time of={lastRunAt} /> },
    { name: 'next', label: say.nextRun, cell: ({ nextRunAt }) => <Time of={nextRunAt} /> },
    {
      name: 'overdue',
      label: say.overdue,
      isNumber: true,
      cell: ({ overdueSeconds }) => <Late of={overdueSeconds} />,
    },
  ];
}

function Seconds({ of }: { readonly of: number | null }) {
  return of === null || of === 0 ? (
    <None />
  ) : (
    <span class="number">{formatDuration(of * 1_000, language.value)}</span>
  );
}

function Late({ of }: { readonly of: number | null }) {
  return of !== null && of >= LATE_SECONDS ? (
    <Bad>
      <Seconds of={of} />
    </Bad>
  ) : (
    <Seconds of={of} />
  );
}
