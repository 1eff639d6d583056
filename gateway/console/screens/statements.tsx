import { StatementPeriod } from '../documents/types.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { Money, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { pathOf } from './paths.ts';
import { PlainList } from './plain-list.tsx';

type Row = DataOf<'statements'>['statements']['nodes'][number];

const SOURCE: PageSource<'statements', Row> = {
  list: 'statements',
  fields: [
    { kind: 'one', name: 'period', options: Object.values(StatementPeriod) },
    { kind: 'code', name: 'currency' },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  rowsOf: ({ statements }) => statements,
};

/** The partner's statements. */
export function Statements() {
  const { nav, fields, values, statements: say } = words.value;
  return (
    <PlainList
      title={nav.statements}
      empty={<Empty>{say.none}</Empty>}
      source={SOURCE}
      hrefOf={({ id }) => pathOf.statement(id)}
      columns={[
        { name: 'name', label: fields.name, cell: ({ name, currency }) => `${name} ${currency}` },
        { name: 'period', label: fields.period, cell: ({ period }) => values[period] },
        {
          ...{ name: 'fees', label: say.fees, isNumber: true },
          cell: ({ fees: amount, currency }) => <Money of={{ amount, currency }} />,
        },
        {
          ...{ name: 'fx', label: say.fx, isNumber: true },
          cell: ({ fx: amount, currency }) => <Money of={{ amount, currency }} />,
        },
        { name: 'zone', label: say.zone, cell: ({ timeZone }) => timeZone },
        { name: 'createdAt', label: say.issued, cell: ({ createdAt }) => <Time of={createdAt} /> },
      ]}
    />
  );
}
