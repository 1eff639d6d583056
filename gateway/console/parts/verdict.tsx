import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { formatNumber } from '../format.ts';
import { language, timeZone, verdictLanguage, words } from '../settings.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { CAUSES, mayChange } from '../verdict-causes.ts';
import { Icon } from './icon.tsx';
import { Failed, Loading } from './states.tsx';
import { useWhenChanged } from './timeline.tsx';
import { Time } from './values.tsx';

type Problem = ConsoleTimelinePageFragment['problems'][number];

/** The place of the verdict while it is read. */
function Awaited() {
  return (
    <div class="verdict idle">
      <Loading />
    </div>
  );
}

interface VerdictProps {
  /** Of the record. */
  readonly nodeId: string;
  /** Changes when the state may be another one. */
  readonly version: string;
  /** Of the timeline of the record. */
  readonly problems: readonly Problem[];
}

/** The actions for webhooks that were not delivered. */
const UNDELIVERED_ACTIONS: readonly Problem['nextAction'][] = ['MEND_ENDPOINT_AND_REPLAY', 'RESUME_ENDPOINT'];

/** Says how many webhooks about the payment were given up, or wait for a paused endpoint; nothing if there are none. */
function Undelivered({ problems }: Pick<VerdictProps, 'problems'>) {
  const count = problems.filter(({ nextAction }) => UNDELIVERED_ACTIONS.includes(nextAction)).length;
  const { payment } = words.value;
  return count > 0 ? (
    <p class="undelivered">{payment.undelivered(count, formatNumber(count, language.value))}</p>
  ) : null;
}

/** The state of a payment in a sentence with the next action, and when it changes by itself. */
export function Verdict({ nodeId, version, problems }: VerdictProps) {
  const query = useQuery('verdict', {
    nodeId,
    language: verdictLanguage.value,
    timeZone: timeZone.value,
  });
  const { data, error, reload } = query;
  const verdict = data?.node && 'verdict' in data.node ? data.node.verdict : undefined;
  useWhenChanged(version, reload);
  // It also changes with time, and by attempts, which have no events.
  useFresh(query, verdict ? mayChange(verdict) : false);
  const { fields } = words.value;
  if (!verdict) {
    // A record that was removed meanwhile has no verdict.
    return error ? <Failed error={error} onRetry={reload} /> : data ? null : <Awaited />;
  }
  const { summary, cause, actBy } = verdict;
  const { tone } = CAUSES[cause];
  return (
    <div class={`verdict ${tone}`} role="status">
      <p title={`${cause} · ${timeZone.value}`}>
        <Icon name={tone} /> {summary}
      </p>
      {actBy && (
        <p class="act-by">
          {cause === 'RETRYING' ? fields.nextAttemptAt : fields.expiresAt}: <Time of={actBy} />
        </p>
      )}
      <Undelivered problems={problems} />
    </div>
  );
}
