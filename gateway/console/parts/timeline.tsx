import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import type { DataOf, GraphError } from '../graph.ts';
import { words } from '../settings.tsx';
import { isUnfinished } from '../unfinished.ts';
import { useChanges } from '../use-entity.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { Section } from './page.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { TimelineEntry } from './timeline-entry.tsx';
import { Named, Time } from './values.tsx';

type Problem = ConsoleTimelinePageFragment['problems'][number];

interface TimelineProps {
  /** Of the operation, money request or remittance. */
  readonly nodeId: string;
  /** Changes when there may be more to read. */
  readonly version: string;
}

interface PartProps extends TimelineProps {
  /** The entries begin after this cursor. */
  readonly after?: string;
}

/** A page of a timeline; undefined until it is there. */
interface Part {
  readonly page: ConsoleTimelinePageFragment | undefined;
  readonly error: GraphError | undefined;
  readonly reload: () => void;
}

/** The current problems of a payment, and then its history in order of time. */
export function Timeline(props: TimelineProps) {
  const part = usePart(props);
  const { timeline: say } = words.value;
  return (
    <>
      {part.page && <Problems of={part.page.problems} />}
      <Section title={say.title}>
        {part.page?.isCut && <p>{say.isCut}</p>}
        {part.page?.nodes.length === 0 && <Empty>{say.empty}</Empty>}
        <Entries {...props} part={part} />
      </Section>
    </>
  );
}

function usePart({ nodeId, version, after }: PartProps): Part {
  const query = useQuery('timeline', { nodeId, ...(after && { after }) });
  const { data, error, reload } = query;
  useWhenChanged(version, reload);
  const page = pageOf(data);
  useWebhooks(page, reload);
  useFresh(query, page !== undefined && isUnfinished(page));
  return { page, error, reload };
}

function Entries({ part: { page, error, reload }, ...props }: TimelineProps & { readonly part: Part }) {
  const [isLonger, setLonger] = useState(false);
  const { timeline: say, common } = words.value;
  if (page === undefined) {
    return error ? <Failed error={error} onRetry={reload} /> : <Loading />;
  }
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      {error && <Failed error={error} onRetry={reload} />}
      <ol class="timeline" aria-label={say.title}>
        {page.nodes.map((entry) => (
          <TimelineEntry key={entry.id} entry={entry} />
        ))}
      </ol>
      {hasNextPage && !isLonger && (
        <button type="button" onClick={() => setLonger(true)}>
          {common.more}
        </button>
      )}
      {isLonger && endCursor && <NextPart {...props} after={endCursor} />}
    </>
  );
}

function NextPart(props: PartProps) {
  return <Entries {...props} part={usePart(props)} />;
}

/** Reads again when a webhook of the timeline has changed: the record itself does not change then. */
function useWebhooks(page: ConsoleTimelinePageFragment | undefined, reload: () => void): void {
  const shown = useRef<ReadonlySet<string>>(new Set());
  shown.current = new Set(
    page?.nodes.flatMap((entry) => (entry.__typename === 'TimelineWebhook' ? entry.deliveryId : [])),
  );
  useChanges(
    'deliveryChanges',
    ({ webhookDeliveryChanged: { delivery } }) => delivery !== null && shown.current.has(delivery.id),
    reload,
  );
}

function pageOf(data: DataOf<'timeline'> | undefined): ConsoleTimelinePageFragment | undefined {
  return data?.node && 'timeline' in data.node ? data.node.timeline : undefined;
}

/** Calls back when a value changes, but not for the first value. */
function useWhenChanged(value: string, act: () => void): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) {
      known.current = value;
      act();
    }
  }, [value, act]);
}

/** The step at which it stopped, the cause, and the possible action. */
function Problems({ of }: { readonly of: readonly Problem[] }) {
  const { timeline: say, fields } = words.value;
  if (of.length === 0) {
    return null;
  }
  return (
    <Section title={say.problems}>
      <ul class="problems">
        {of.map(({ step, code, message, nextAction, at, nextAttemptAt }) => (
          <li key={`${step} ${at}`}>
            <p>
              <strong>
                <span aria-hidden="true">✕</span> <Named value={step} />
              </strong>{' '}
              {code && <code class="bad">{code}</code>} <Time of={at} />
            </p>
            <p>{message}</p>
            <p class="next">
              {say.actions[nextAction]}
              {nextAttemptAt && (
                <>
                  {' '}
                  {fields.nextAttemptAt}: <Time of={nextAttemptAt} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
