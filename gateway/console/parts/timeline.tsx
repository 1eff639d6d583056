import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { formatDate } from '../format.ts';
import type { DataOf, GraphError } from '../graph.ts';
import { language, words, zone } from '../settings.tsx';
import { foldWebhooks, groupByDay, isOfWebhook } from '../timeline-items.ts';
import { isUnfinished } from '../unfinished.ts';
import { useChanges } from '../use-entity.tsx';
import { useFresh } from '../use-fresh.tsx';
import { useQuery } from '../use-query.tsx';
import { Needs } from './needs.tsx';
import { Section } from './page.tsx';
import { Problems } from './problems.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { TimelineRow } from './timeline-entry.tsx';

interface TimelineProps {
  /** Of the operation, money request, remittance or request by v2. */
  readonly nodeId: string;
  /** Changes when there may be more to read. */
  readonly version: string;
}

interface PartProps extends TimelineProps {
  /** The entries begin after this cursor. */
  readonly after?: string;
}

/** A page of a timeline; undefined until it is there. */
export interface TimelinePart {
  readonly page: ConsoleTimelinePageFragment | undefined;
  readonly error: GraphError | undefined;
  readonly reload: () => void;
}

/** The rows of a timeline that a tab of a payment shows. */
type Shown = 'all' | 'webhooks';

interface SectionProps extends TimelineProps {
  /** The first page. */
  readonly part: TimelinePart;
}

/** Problems of the payment itself, and then its history by day. Problems of webhooks are in their own tab. */
export function Timeline(props: SectionProps) {
  const { page } = props.part;
  const { timeline: say } = words.value;
  return (
    <>
      <Problems title={say.problems} of={page?.problems.filter((one) => !isOfWebhook(one)) ?? []} />
      <Section title={say.title}>
        {page?.isCut && <p>{say.isCut}</p>}
        {page?.nodes.length === 0 && <Empty>{words.value.empty.timeline}</Empty>}
        <Entries {...props} shown="all" />
      </Section>
    </>
  );
}

/** The webhooks about a payment, and why some were not delivered. */
export function PaymentWebhooks(props: SectionProps) {
  const { page } = props.part;
  const { delivery, payment, timeline: say } = words.value;
  const isEmpty = page && !page.pageInfo.hasNextPage && rowsOf(page, 'webhooks').length === 0;
  const problems = page?.problems.filter(isOfWebhook) ?? [];
  return (
    <>
      <Problems title={say.problems} of={problems} />
      {problems.length > 0 && (
        <Needs access="support" act={delivery.replay}>
          {null}
        </Needs>
      )}
      <Section title={payment.webhooks}>
        {isEmpty ? (
          <Empty next={['endpoints']}>{payment.noWebhooks}</Empty>
        ) : (
          <Entries {...props} shown="webhooks" />
        )}
      </Section>
    </>
  );
}

/** Reads a page of a timeline, and again on each change of the payment or of a webhook about it. */
export function useTimeline({ nodeId, version, after }: PartProps): TimelinePart {
  const query = useQuery('timeline', { nodeId, ...(after && { after }) });
  const { data, error, reload } = query;
  useWhenChanged(version, reload);
  const page = pageOf(data);
  useWebhooks(page, reload);
  useFresh(query, page !== undefined && isUnfinished(page));
  return { page, error, reload };
}

function rowsOf(page: ConsoleTimelinePageFragment, shown: Shown) {
  const items = foldWebhooks(page.nodes);
  return shown === 'all' ? items : items.filter(({ kind }) => kind === 'webhook');
}

function Entries({
  part: { page, error, reload },
  shown,
  ...props
}: SectionProps & { readonly shown: Shown }) {
  const [isLonger, setLonger] = useState(false);
  const { common } = words.value;
  if (page === undefined) {
    return error ? <Failed error={error} onRetry={reload} /> : <Loading place="rows" />;
  }
  const { hasNextPage, endCursor } = page.pageInfo;
  return (
    <>
      {error && <Failed error={error} onRetry={reload} />}
      {groupByDay(rowsOf(page, shown), zone.value).map(({ at, items }) => {
        const day = formatDate(at, language.value, zone.value);
        return (
          <div key={day}>
            <h3>{day}</h3>
            <ol class="timeline" aria-label={day}>
              {items.map((item) => (
                <TimelineRow key={item.id} item={item} />
              ))}
            </ol>
          </div>
        );
      })}
      {hasNextPage && !isLonger && (
        <button type="button" onClick={() => setLonger(true)}>
          {common.more}
        </button>
      )}
      {isLonger && endCursor && <NextPart {...props} shown={shown} after={endCursor} />}
    </>
  );
}

function NextPart({ shown, ...props }: PartProps & { readonly shown: Shown }) {
  return <Entries {...props} shown={shown} part={useTimeline(props)} />;
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
export function useWhenChanged(value: string, act: () => void): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) {
      known.current = value;
      act();
    }
  }, [value, act]);
}
