import { CipStatus } from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { Bad, None, nameOf, Status, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { pathOf } from './paths.ts';
import { PlainList } from './plain-list.tsx';

const CHECKS = Object.values(CipStatus);

type Row = DataOf<'users'>['users']['nodes'][number];

const SOURCE: PageSource<'users', Row> = {
  list: 'users',
  csv: 'users',
  fields: [
    { kind: 'choice', name: 'identity', where: 'cipStatus', options: CHECKS },
    { kind: 'yes-no', name: 'blocked' },
    { kind: 'text', name: 'referenceId' },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  rowsOf: ({ users }) => users,
};

export function Users() {
  const { nav, fields, common } = words.value;
  return (
    <PlainList
      title={nav.users}
      empty={<Empty next={['quickstart']}>{words.value.lists.empty.users}</Empty>}
      source={SOURCE}
      hrefOf={({ id }) => pathOf.user(id)}
      columns={[
        { name: 'name', label: fields.name, cell: nameOf },
        {
          name: 'referenceId',
          label: fields.referenceId,
          cell: ({ referenceId }) => referenceId ?? <None />,
        },
        { name: 'country', label: fields.country, cell: ({ country }) => country ?? <None /> },
        { name: 'identity', label: fields.identity, cell: ({ cipStatus }) => <Status value={cipStatus} /> },
        {
          name: 'blocked',
          label: fields.blocked,
          cell: ({ blocked }) => (blocked ? <Bad>{common.yes}</Bad> : common.no),
        },
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}
