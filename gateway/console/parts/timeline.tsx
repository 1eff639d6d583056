import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import { formatDuration } from '../format.ts';
import { PATHS, pathOf } from '../screens/paths.ts';
import { language, words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { Section } from './page.tsx';
import { Empty, Failed, Loading } from './states.tsx';
import { Named, Time } from './values.tsx';

type Entry = ConsoleTimelinePageFragment['nodes'][number];
type Problem = ConsoleTimelinePageFragment['problems'][number];

interface TimelineProps {
  /** Of the operation, money request or remittance. */
  readonly nodeId: string;
  /** Changes when there may be more to read. */
  readonly version: string;
  /** The entries begin after this cursor. */
  readonly after?: string;
}

/** All that happened to a payment, in order of time, with what holds it up at present. */
export function Timeline({ nodeId, version, after }: TimelineProps) {
  const { data, error, reload } = useQuery('timeline', { nodeId, ...(after && { after }) });
  useWhenChanged(version, reload);
  const [isLonger, setLonger] = useState(false);
  const { timeline: say, common } = words.value;
  const page =
    data?.node && 'timeline' in data.node ? (data.node.timeline as ConsoleTimelinePageFragment) : undefined;
  if (page === undefined) {
    return error ? <Failed error={error} onRetry={reload} /> : <Loading />;
  }
  const { nodes, problems, isCut, pageInfo } = page;
  return (
    <>
      {error && <Failed error={error} onRetry={reload} />}
      {after === undefined && <Problems of={problems} />}
      {isCut && after === undefined && <p>{say.isCut}</p>}
      {nodes.length === 0 && <Empty>{say.empty}</Empty>}
      <ol class="timeline" aria-label={say.title}>
        {nodes.map((entry) => (
          <li key={entry.id} class={isFailure(entry) ? 'failed' : undefined}>
            <Time of={entry.at} isExact />
            <span>{textOf(entry)}</span>
          </li>
        ))}
      </ol>
      {pageInfo.hasNextPage && !isLonger && (
        <button type="button" onClick={() => setLonger(true)}>
          {common.more}
        </button>
      )}
      {isLonger && pageInfo.endCursor && (
        <Timeline nodeId={nodeId} version={version} after={pageInfo.endCursor} />
      )}
    </>
  );
}

/** Calls back when a value is no longer what it was, but not at first. */
function useWhenChanged(value: string, act: () => void): void {
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) {
      known.current = value;
      act();
    }
  }, [value, act]);
}

/** The step where it stopped, the cause, and what can be done. */
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
            <strong>
              <Named value={step} />
            </strong>{' '}
            {code && <code>{code}</code>} {message} (<Time of={at} />)
            <br />
            {say.actions[nextAction]}
            {nextAttemptAt && (
              <>
                {' '}
                {fields.nextAttemptAt}: <Time of={nextAttemptAt} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function isFailure(entry: Entry): boolean {
  switch (entry.__typename) {
    case 'TimelinePhaseFailure':
      return true;
    case 'TimelineWebhook':
    case 'TimelineWebhookAttempt':
      return entry.errorClass !== null;
    case 'TimelineRequest':
      return entry.requestCode !== null;
    case 'TimelineStatusChange':
      return entry.status === 'FAILED' || entry.status === 'REJECTED';
    case 'TimelineLinkActivity':
      return entry.activity.activityStatus === 'ERROR';
    default:
      return false;
  }
}

/** What an entry says. */
function textOf(entry: Entry) {
  const { timeline: say, values, fields, delivery } = words.value;
  switch (entry.__typename) {
    case 'TimelineStatusChange':
      return (
        <>
          {say.subjects[entry.subject]}: {entry.previousStatus && <Named value={entry.previousStatus} />}
          {entry.previousStatus && ' → '}
          <strong>
            <Named value={entry.status} />
          </strong>
          {entry.statusDetails && (
            <>
              {' '}
              (<Named value={entry.statusDetails} />)
            </>
          )}
        </>
      );
    case 'TimelineRequest':
      return (
        <>
          {say.request}{' '}
          <a href={addressOf(PATHS.requests, { requestId: entry.requestId })}>
            {[entry.method, entry.path].filter(Boolean).join(' ') || entry.operation}
          </a>
          : {entry.requestStatus} {entry.requestCode && <code>{entry.requestCode}</code>},{' '}
          {formatDuration(entry.ms, language.value)}
        </>
      );
    case 'TimelinePhase':
      return (
        <>
          {fields.phase}: <Named value={entry.phase} />
        </>
      );
    case 'TimelinePhaseFailure':
      return (
        <>
          {fields.phase} <Named value={entry.phase} />, {delivery.attempt(entry.attempt)}:{' '}
          <code>{entry.code}</code> {entry.message}
          <Next at={entry.nextAttemptAt} />
        </>
      );
    case 'TimelineWebhook':
      return (
        <>
          <a href={pathOf.delivery(entry.deliveryId)}>{delivery.title(entry.event)}</a>:{' '}
          {values[entry.webhookStatus]}
          {entry.errorClass && ` (${entry.errorClass})`}
        </>
      );
    case 'TimelineWebhookAttempt':
      return (
        <>
          <a href={pathOf.delivery(entry.deliveryId)}>{delivery.title(entry.attemptEvent ?? '')}</a>,{' '}
          {delivery.attempt(entry.number)}: {entry.statusCode ?? delivery.notConnected},{' '}
          {formatDuration(entry.ms, language.value)} {entry.errorClass && <code>{entry.errorClass}</code>}
          <Next at={entry.nextAttemptAt} />
        </>
      );
    case 'TimelineLinkActivity':
      return (
        <>
          <a href={pathOf.link(entry.linkId)}>{fields.link}</a>: {values[entry.activity.type]}
          {entry.activity.error && ` (${entry.activity.error})`}
        </>
      );
  }
}

/** When it goes on. */
function Next({ at }: { readonly at: string | null }) {
  return at === null ? null : (
    <>
      {' '}
      {words.value.fields.nextAttemptAt}: <Time of={at} />
    </>
  );
}
