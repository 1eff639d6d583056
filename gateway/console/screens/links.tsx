import { LinkFlow, LinkStatus } from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { pathOf } from './paths.ts';
import { PlainList } from './plain-list.tsx';

const STATUSES = Object.values(LinkStatus);
const FLOWS = Object.values(LinkFlow);

type Row = DataOf<'links'>['links']['nodes'][number];

const SOURCE: PageSource<'links', Row> = {
  list: 'links',
  csv: 'links',
  fields: [
    { kind: 'choice', name: 'status', options: STATUSES },
    { kind: 'choice', name: 'flow', options: FLOWS },
    { kind: 'text', name: 'referenceId' },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  rowsOf: ({ links }) => links,
};

export function Links() {
  const { nav, fields, values: names } = words.value;
  return (
    <PlainList
      title={nav.links}
      empty={<Empty next={['quickstart']}>{words.value.lists.empty.links}</Empty>}
      source={SOURCE}
      hrefOf={({ id }) => pathOf.link(id)}
      columns={[
        { name: 'id', label: fields.id, cell: ({ id }) => <code>{id}</code> },
        { name: 'status', label: fields.status, cell: ({ status }) => <Status value={status} /> },
        { name: 'flow', label: fields.flow, cell: ({ flow }) => names[flow] },
        { name: 'referenceId', label: fields.userReferenceId, cell: ({ referenceId }) => referenceId },
        { name: 'openedAt', label: fields.openedAt, cell: ({ openedAt }) => <Time of={openedAt} /> },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        { name: 'expiresAt', label: fields.expiresAt, cell: ({ expiresAt }) => <Time of={expiresAt} /> },
      ]}
    />
  );
}
