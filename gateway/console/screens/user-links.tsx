import type { DataOf } from '../graph.ts';
import { Section } from '../parts/page.tsx';
import { Empty } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { pathOf } from './paths.ts';

type User = NonNullable<DataOf<'user'>['user']>;

/** The newest links of a user. */
export function Links({ rows }: { readonly rows: User['links']['nodes'] }) {
  const { user: say, fields, values } = words.value;
  return (
    <Section title={say.recentLinks}>
      {rows.length === 0 ? (
        <Empty>{words.value.empty.links}</Empty>
      ) : (
        <Table
          caption={say.recentLinks}
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
      )}
    </Section>
  );
}
