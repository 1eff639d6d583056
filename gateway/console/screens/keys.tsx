import { useState } from 'preact/hooks';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Secret } from '../parts/dialog.tsx';
import { Needs } from '../parts/needs.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failed, Loading } from '../parts/states.tsx';
import { Table } from '../parts/table.tsx';
import { None, Time } from '../parts/values.tsx';
import { isAdmin } from '../session.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';

type Key = DataOf<'keys'>['apiKeys'][number];

export function Keys() {
  const { nav, keys: say } = words.value;
  const [includeEnded, setIncludeEnded] = useState(false);
  const [made, setMade] = useState<string>();
  const query = useQuery('keys', { includeEnded });
  const keys = query.data?.apiKeys;
  const onMade = (key: string) => {
    setMade(key);
    query.reload();
  };
  return (
    <Page
      title={nav.keys}
      actions={
        <Needs access="admin" act={say.create}>
          <CreateKey onMade={onMade} />
        </Needs>
      }
    >
      <label class="check">
        <input
          type="checkbox"
          checked={includeEnded}
          onChange={({ currentTarget }) => setIncludeEnded(currentTarget.checked)}
        />
        {say.ended}
      </label>
      {query.error && <Failed error={query.error} onRetry={query.reload} />}
      {!keys && !query.error && <Loading place="rows" />}
      {keys?.length === 0 && <Empty next={['quickstart']}>{words.value.empty.keys}</Empty>}
      {keys && keys.length > 0 && <KeyTable keys={keys} onMade={onMade} onChanged={query.reload} />}
      {made !== undefined && (
        <Secret title={nav.keys} text={made} onClose={() => setMade(undefined)}>
          {say.shownOnce}
        </Secret>
      )}
    </Page>
  );
}

interface KeyTableProps {
  readonly keys: readonly Key[];
  readonly onMade: (key: string) => void;
  readonly onChanged: () => void;
}

function KeyTable({ keys, onMade, onChanged }: KeyTableProps) {
  const { nav, fields, common } = words.value;
  return (
    <Table
      caption={nav.keys}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { name: 'prefix', label: fields.prefix, cell: ({ prefix }) => <code>{prefix}…</code> },
        { name: 'label', label: fields.label, cell: ({ label }) => label || <None /> },
        { name: 'scopes', label: fields.scopes, cell: ({ scopes }) => scopes.join(', ') || <None /> },
        {
          name: 'used',
          label: fields.lastUsedAt,
          cell: ({ lastUsedAt }) => (lastUsedAt ? <Time of={lastUsedAt} /> : common.never),
        },
        { name: 'created', label: fields.createdAt, cell: ({ createdAt }) => <Time of={createdAt} /> },
        {
          name: 'ends',
          label: fields.endsAt,
          cell: ({ endsAt, revokedAt }) => <Time of={revokedAt ?? endsAt} />,
        },
        {
          name: 'actions',
          label: '',
          cell: (key) =>
            isAdmin() &&
            !hasEnded(key) && (
              <span class="actions">
                {!key.endsAt && <RotateKey id={key.id} onMade={onMade} />}
                <RevokeKey id={key.id} prefix={key.prefix} onDone={onChanged} />
              </span>
            ),
        },
      ]}
    />
  );
}

function hasEnded({ revokedAt, endsAt }: Key): boolean {
  return revokedAt !== null || (endsAt !== null && Date.parse(endsAt) <= Date.now());
}

function CreateKey({ onMade }: { readonly onMade: (key: string) => void }) {
  const { keys: say, fields } = words.value;
  const [label, setLabel] = useState('');
  const [isForAdmin, setForAdmin] = useState(false);
  const scopes = isForAdmin ? ['partner', 'partner_admin'] : ['partner'];
  return (
    <ConfirmedAction
      document="createKey"
      variables={{ input: { label, scopes } }}
      verb={say.create}
      icon="add"
      onDone={({ key }) => key && onMade(key)}
    >
      <p>
        <label for="key-label">{fields.label}</label>
        <input
          id="key-label"
          maxLength={100}
          value={label}
          onInput={({ currentTarget }) => setLabel(currentTarget.value)}
        />
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={isForAdmin}
          onChange={({ currentTarget }) => setForAdmin(currentTarget.checked)}
        />
        {say.admin}
      </label>
    </ConfirmedAction>
  );
}

function RotateKey({ id, onMade }: { readonly id: string; readonly onMade: (key: string) => void }) {
  const { keys: say } = words.value;
  const [overlapMinutes, setMinutes] = useState(60);
  return (
    <ConfirmedAction
      document="rotateKey"
      variables={{ input: { id, overlapMinutes } }}
      verb={say.rotate}
      isSmall
      onDone={({ key }) => key && onMade(key)}
    >
      <p>
        <label for="key-overlap">{say.overlap}</label>
        <input
          id="key-overlap"
          type="number"
          min={0}
          max={10_080}
          value={overlapMinutes}
          onInput={({ currentTarget }) => setMinutes(currentTarget.valueAsNumber || 0)}
        />
      </p>
    </ConfirmedAction>
  );
}

interface RevokeKeyProps {
  readonly id: string;
  readonly prefix: string;
  readonly onDone: () => void;
}

function RevokeKey({ id, prefix, onDone }: RevokeKeyProps) {
  const { keys: say } = words.value;
  return (
    <ConfirmedAction
      document="revokeKey"
      variables={{ input: { id } }}
      verb={say.revoke}
      title={`${say.revoke} ${prefix}…`}
      isSmall
      onDone={onDone}
    >
      <p>{say.revokeWhat}</p>
    </ConfirmedAction>
  );
}
