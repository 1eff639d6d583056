import { ApiSurface, RequestOutcome } from '../documents/types.ts';
import { addressOf, chosen, defined, spanOf } from '../filters.ts';
import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { None, Status, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { PATHS } from './paths.ts';
import { PlainList } from './plain-list.tsx';

type Row = DataOf<'requests'>['requestLog']['nodes'][number];

const OUTCOMES = Object.values(RequestOutcome);
const SURFACES = Object.values(ApiSurface);

const SOURCE: PageSource<'requests', Row> = {
  list: 'requests',
  fields: [
    { kind: 'choice', name: 'outcome', options: OUTCOMES },
    { kind: 'one', name: 'surface', options: SURFACES },
    { kind: 'text', name: 'requestId' },
    { kind: 'text', name: 'subject' },
    { kind: 'text', name: 'code' },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  whereOf: (values) =>
    defined({
      outcome: chosen(values.outcome, OUTCOMES),
      surface: chosen(values.surface, SURFACES)?.[0],
      requestId: values.requestId,
      subject: values.subject,
      code: values.code,
      at: spanOf(values),
    }),
  rowsOf: ({ requestLog }) => requestLog,
};

/** What failed or changed something in the last 7 days, by the partner's API keys and sessions. */
export function Requests() {
  const { nav, fields, values } = words.value;
  return (
    <PlainList
      title={nav.requests}
      source={SOURCE}
      columns={[
        { name: 'at', label: fields.createdAt, cell: ({ at }) => <Time of={at} isExact /> },
        { name: 'outcome', label: fields.outcome, cell: ({ outcome }) => <Status value={outcome} /> },
        {
          name: 'status',
          label: fields.httpStatus,
          isNumber: true,
          cell: ({ status }) => status ?? <None />,
        },
        { name: 'code', label: fields.code, cell: ({ code }) => (code ? <code>{code}</code> : <None />) },
        { name: 'surface', label: fields.surface, cell: ({ surface }) => values[surface] },
        { name: 'call', label: fields.call, cell: callOf },
        {
          name: 'subject',
          label: fields.subject,
          cell: ({ subjects }) =>
            subjects.map((id) => (
              <a key={id} class="subject" href={addressOf(PATHS.search, { text: id })}>
                {id}
              </a>
            )),
        },
        {
          name: 'ms',
          label: fields.took,
          isNumber: true,
          cell: ({ ms }) => formatDuration(ms, language.value),
        },
        { name: 'requestId', label: fields.requestId, cell: ({ requestId }) => <code>{requestId}</code> },
      ]}
    />
  );
}

function callOf({ method, path, operation }: Row) {
  const call = [method, path].filter(Boolean).join(' ');
  return (
    <>
      {call && <code>{call}</code>} {operation}
    </>
  );
}
