import { useState } from 'preact/hooks';
import { DiscrepancyKind, DiscrepancyState } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import type { DataOf } from '../graph.ts';
import type { PageSource } from '../list-source.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Needs } from '../parts/needs.tsx';
import { Empty } from '../parts/states.tsx';
import { Money, None, Time } from '../parts/values.tsx';
import { words } from '../settings.tsx';
import { PATHS } from './paths.ts';
import { PlainList } from './plain-list.tsx';

type Row = DataOf<'discrepancies'>['discrepancies']['nodes'][number];

const STATES = Object.values(DiscrepancyState);
const KINDS = Object.values(DiscrepancyKind);

const SOURCE: PageSource<'discrepancies', Row> = {
  list: 'discrepancies',
  fields: [
    {
      kind: 'one',
      name: 'status',
      where: 'state',
      options: STATES,
      nameOf: (option) => nameIn(words.value.discrepancies.states, option),
    },
    {
      kind: 'one',
      name: 'kind',
      options: KINDS,
      nameOf: (option) => nameIn(words.value.discrepancies.kinds, option),
    },
    { kind: 'text', name: 'referenceId', where: 'reference' },
    { kind: 'span' },
  ],
  keyOf: ({ id }) => id,
  rowsOf: ({ discrepancies }) => discrepancies,
};

function nameIn(names: Readonly<Record<string, string>>, option: string): string {
  return names[option] ?? option;
}

/** Differences between settlement files and the journal, and decisions about them. */
export function Discrepancies() {
  const { nav, fields, discrepancies: say } = words.value;
  const [round, setRound] = useState(0);
  return (
    <PlainList
      key={round}
      title={nav.discrepancies}
      empty={<Empty>{say.none}</Empty>}
      source={SOURCE}
      columns={[
        { name: 'createdAt', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        { name: 'kind', label: fields.kind, cell: ({ kind }) => <span title={kind}>{say.kinds[kind]}</span> },
        {
          name: 'state',
          label: fields.status,
          cell: ({ state }) => <span title={state}>{say.states[state]}</span>,
        },
        { name: 'owner', label: fields.owner, cell: ({ owner }) => owner ?? <None /> },
        {
          name: 'reference',
          label: fields.referenceId,
          cell: ({ reference }) => <a href={addressOf(PATHS.search, { text: reference })}>{reference}</a>,
        },
        {
          name: 'provider',
          label: fields.provider,
          cell: ({ provider, line }) =>
            [provider, line === null ? '' : say.line(line)].filter(Boolean).join(', '),
        },
        {
          name: 'theirs',
          label: say.theirs,
          isNumber: true,
          cell: ({ providerAmount, providerDay, currency }) =>
            amountOf(providerAmount, currency, providerDay),
        },
        {
          name: 'ours',
          label: say.ours,
          isNumber: true,
          cell: ({ ourAmount, ourDay, currency }) => amountOf(ourAmount, currency, ourDay),
        },
        {
          name: 'acts',
          label: '',
          cell: (row) => (
            <Needs access="operate" act={say.decide}>
              <Decide row={row} onDone={() => setRound((one) => one + 1)} />
            </Needs>
          ),
        },
      ]}
    />
  );
}

function amountOf(amount: string | null, currency: string, day: string | null) {
  return amount === null ? (
    <None />
  ) : (
    <>
      <Money of={{ amount, currency }} /> <small>{day}</small>
    </>
  );
}

interface DecideProps {
  readonly row: Row;
  readonly onDone: () => void;
}

function Decide({ row, onDone }: DecideProps) {
  const { id, version, reference, log } = row;
  const { fields, discrepancies: say } = words.value;
  const present = { state: row.state, owner: row.owner ?? '', note: '' };
  const [draft, setDraft] = useState(present);
  const change = (part: Partial<typeof draft>) => setDraft((one) => ({ ...one, ...part }));
  return (
    <ConfirmedAction
      document="resolveDiscrepancy"
      variables={{ input: { id, version, ...draft } }}
      verb={say.save}
      opener={say.decide}
      title={`${say.decide}: ${reference}`}
      isSmall
      onOpen={() => setDraft(present)}
      onDone={onDone}
    >
      <p>{say.how}</p>
      <p>
        <label for={`state-${id}`}>{fields.status}</label>
        <select
          id={`state-${id}`}
          value={draft.state}
          onChange={({ currentTarget: { value } }) => {
            const state = STATES.find((one) => one === value);
            if (state !== undefined) {
              change({ state });
            }
          }}
        >
          {STATES.map((state) => (
            <option key={state} value={state}>
              {say.states[state]}
            </option>
          ))}
        </select>
      </p>
      <p>
        <label for={`owner-${id}`}>{fields.owner}</label>
        <input
          id={`owner-${id}`}
          maxLength={100}
          value={draft.owner}
          onInput={({ currentTarget }) => change({ owner: currentTarget.value })}
        />
      </p>
      <p>
        <label for={`note-${id}`}>{say.note}</label>
        <textarea
          id={`note-${id}`}
          maxLength={500}
          value={draft.note}
          onInput={({ currentTarget }) => change({ note: currentTarget.value })}
        />
      </p>
      {log.length > 0 && <Log of={log} />}
    </ConfirmedAction>
  );
}

function Log({ of }: { readonly of: Row['log'] }) {
  const { discrepancies: say } = words.value;
  return (
    <>
      <h3>{say.log}</h3>
      <ol>
        {of.map(({ at, by, state, owner, note }) => (
          <li key={`${at} ${by} ${state}`}>
            <Time of={at} /> {by ?? say.byImport}:{' '}
            {[say.states[state], owner, note].filter(Boolean).join(', ')}
          </li>
        ))}
      </ol>
    </>
  );
}
