import { curlOf } from '../curl.ts';
import { ApiSurface, RequestOutcome } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import { formatDuration } from '../format.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { Empty } from '../parts/states.tsx';
import { Copy, None, Status, Time } from '../parts/values.tsx';
import { createdReference } from '../repeat.ts';
import { SERVICE } from '../root.ts';
import { isSandbox } from '../session.tsx';
import { language, words } from '../settings.tsx';
import { PATHS } from './paths.ts';
import { PlainList } from './plain-list.tsx';
import { RepeatRequest } from './repeat-request.tsx';

type Data = DataOf<'requests'>;
type Row = Data['requestLog']['nodes'][number] & { readonly keyLabel: string | undefined };

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
    { kind: 'yes-no', name: 'isReveal' },
    { kind: 'span', where: 'at' },
  ],
  keyOf: ({ id }) => id,
  rowsOf: withLabels,
};

/** The rows of the log, each with the label of its key. */
function withLabels({ requestLog, apiKeys }: Data) {
  const labels = new Map(apiKeys.map(({ id, label }) => [id, label]));
  return {
    ...requestLog,
    nodes: requestLog.nodes.map((one) => ({ ...one, keyLabel: labels.get(one.keyId) })),
  };
}

/**
 * Requests of the partner's API keys and sessions that failed, changed something or showed contact data in the last 7
 * days.
 */
export function Requests() {
  const { nav, fields } = words.value;
  return (
    <PlainList
      title={nav.requests}
      empty={<Empty next={['quickstart']}>{words.value.lists.empty.requests}</Empty>}
      source={SOURCE}
      columns={[
        { name: 'at', label: fields.createdAt, cell: ({ at }) => <Time of={at} isExact /> },
        {
          name: 'outcome',
          label: fields.outcome,
          cell: ({ outcome, status }) => (
            <>
              <Status value={outcome} /> {status}
            </>
          ),
        },
        { name: 'code', label: fields.code, cell: ({ code }) => (code ? <code>{code}</code> : <None />) },
        { name: 'call', label: fields.call, cell: callOf },
        {
          name: 'actor',
          label: fields.by,
          cell: ({ actor, keyLabel, keyId }) =>
            actor || (keyLabel ? <span title={keyId}>{keyLabel}</span> : <code>{keyId}</code>),
        },
        {
          name: 'acts',
          label: '',
          cell: (row) =>
            !row.isReveal && (
              <span class="actions">
                <Copy label={words.value.common.copyCurl} text={curlOf(row, location.origin + SERVICE)} />
                <Repeat row={row} />
              </span>
            ),
        },
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
        {
          name: 'requestId',
          label: fields.requestId,
          cell: ({ requestId }) => <code class="long">{requestId}</code>,
        },
      ]}
    />
  );
}

/** Sends a create of a money request anew; only in the sandbox. */
function Repeat({ row }: { readonly row: Row }) {
  const reference = isSandbox() ? createdReference(row) : undefined;
  return reference === undefined ? null : <RepeatRequest reference={reference} />;
}

/** Method and path, which name the API; of GraphQL the operation, as all of it has one path. */
function callOf({ method, path, operation, surface, isReveal }: Row) {
  if (isReveal) {
    return words.value.user.revealed;
  }
  return surface === 'GRAPHQL' ? (
    [words.value.values[surface], operation].filter(Boolean).join(' ')
  ) : (
    <code>{[method, path].filter(Boolean).join(' ') || operation}</code>
  );
}
