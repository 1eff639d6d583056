import { useState } from 'preact/hooks';
import { formatDuration, formatNumber } from '../format.ts';
import type { DataOf } from '../graph.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Needs } from '../parts/needs.tsx';
import { Section } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Status, Time } from '../parts/values.tsx';
import { isSandbox } from '../session.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
/** Offered steps, seconds. */
const STEPS = [HOUR_S, 12 * HOUR_S, DAY_S, 7 * DAY_S, 30 * DAY_S] as const;

type SandboxData = NonNullable<DataOf<'sandbox'>['sandbox']>;

/** The clock of the partner's sandbox and its reset; nothing for the live environment. */
export function Sandbox() {
  return isSandbox() ? <SandboxSection /> : null;
}

function SandboxSection() {
  const query = useQuery('sandbox', {});
  useFresh(query);
  const { data, error, reload } = query;
  const { sandbox: say } = words.value;
  return (
    <Section title={say.title}>
      {error && <Failed error={error} onRetry={reload} />}
      {!data && !error && <Loading />}
      {data?.sandbox && <Clock of={data.sandbox} />}
      {data?.sandbox?.reset && <Reset of={data.sandbox.reset} />}
      <p class="actions">
        <Needs access="admin" act={say.change}>
          <Advance onDone={reload} /> <StartReset onDone={reload} />
        </Needs>
      </p>
    </Section>
  );
}

function Clock({ of: { now, clockAheadSeconds } }: { readonly of: SandboxData }) {
  const { sandbox: say } = words.value;
  return (
    <p>
      {say.clock}: <Time of={now} />{' '}
      {clockAheadSeconds > 0
        ? `(${say.ahead(formatDuration(clockAheadSeconds * 1_000, language.value))})`
        : `(${say.real})`}
    </p>
  );
}

function Reset({
  of: { state, found, removed, finishedAt },
}: {
  readonly of: NonNullable<SandboxData['reset']>;
}) {
  const { sandbox: say } = words.value;
  const [done, all] = [removed, Math.max(found, removed)].map((count) => formatNumber(count, language.value));
  return (
    <p>
      {say.lastReset}: <Status value={state} /> {say.removed(String(done), String(all))}{' '}
      {finishedAt && <Time of={finishedAt} />}
    </p>
  );
}

function Advance({ onDone }: { readonly onDone: () => void }) {
  const { sandbox: say } = words.value;
  const [seconds, choose] = useState<number>(DAY_S);
  return (
    <ConfirmedAction
      document="advanceSandboxClock"
      variables={{ input: { seconds } }}
      verb={say.advance}
      onDone={onDone}
    >
      <p>{say.advanceEffect}</p>
      <p>
        <label for="ahead">{say.by}</label>
        <select
          id="ahead"
          value={seconds}
          onChange={({ currentTarget }) => choose(Number(currentTarget.value))}
        >
          {STEPS.map((step) => (
            <option key={step} value={step}>
              {formatDuration(step * 1_000, language.value)}
            </option>
          ))}
        </select>
      </p>
    </ConfirmedAction>
  );
}

function StartReset({ onDone }: { readonly onDone: () => void }) {
  const { sandbox: say } = words.value;
  return (
    <ConfirmedAction document="resetSandbox" variables={{}} verb={say.reset} onDone={onDone}>
      <p>{say.resetEffect}</p>
    </ConfirmedAction>
  );
}
