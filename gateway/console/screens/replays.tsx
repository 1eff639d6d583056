import { useEffect } from 'preact/hooks';
import { formatNumber } from '../format.ts';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { Needs } from '../parts/needs.tsx';
import { Section } from '../parts/page.tsx';
import { Failed } from '../parts/states.tsx';
import { Status, Time } from '../parts/values.tsx';
import { language, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';

/** The maximum age of the progress of a running replay. */
const FRESH_MS = 1_000;

interface ReplaysProps {
  /** Changes when a replay was started. */
  readonly round: number;
}

/** The latest replays, with the progress of the one that runs. */
export function Replays({ round }: ReplaysProps) {
  const { delivery, fields } = words.value;
  const query = useQuery('replays', {});
  const { reload } = query;
  const replays = query.data?.webhookReplays ?? [];
  const isRunning = replays.some(({ state }) => state === 'RUNNING');
  useEffect(() => {
    if (round > 0) {
      reload();
    }
  }, [round, reload]);
  useFresh(query, isRunning, FRESH_MS);
  if (replays.length === 0) {
    return null;
  }
  const number = (value: number) => formatNumber(value, language.value);
  return (
    <Section title={delivery.jobs}>
      {query.error && <Failed error={query.error} onRetry={reload} />}
      <ul class="replays">
        {replays.slice(0, 5).map(({ id, state, found, replayed, skipped, createdAt }) => (
          <li key={id}>
            <Status value={state} />{' '}
            <progress max={Math.max(1, found)} value={replayed + skipped} aria-label={delivery.jobs} />{' '}
            <span>{delivery.progress(number(replayed), number(found))}</span> · {fields.createdAt}{' '}
            <Time of={createdAt} />
            {state === 'RUNNING' && (
              <Needs access="support" act={delivery.stop}>
                <ConfirmedAction
                  document="stopReplay"
                  variables={{ input: { id } }}
                  verb={delivery.stop}
                  isSmall
                  onDone={reload}
                >
                  <p>{delivery.stopHow}</p>
                </ConfirmedAction>
              </Needs>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
