import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import { formatDuration } from '../format.ts';
import { PATHS, pathOf } from '../screens/paths.ts';
import { language, words } from '../settings.tsx';
import { isNamed, Named, Status, Time } from './values.tsx';

type Entry = ConsoleTimelinePageFragment['nodes'][number];

/** The kind of an entry. Each kind has its own sign, so that colour is not needed to distinguish them. */
type Kind = 'status' | 'request' | 'phase' | 'webhook' | 'attempt' | 'link';
const SIGNS: Readonly<Record<Kind, string>> = {
  status: '◆',
  request: '→',
  phase: '▸',
  webhook: '↗',
  attempt: '↳',
  link: '∞',
};
const KINDS: Readonly<Record<Entry['__typename'], Kind>> = {
  TimelineStatusChange: 'status',
  TimelineRequest: 'request',
  TimelinePhase: 'phase',
  TimelinePhaseFailure: 'phase',
  TimelineWebhook: 'webhook',
  TimelineWebhookAttempt: 'attempt',
  TimelineLinkActivity: 'link',
};

/** One entry: its kind, time and content. */
export function TimelineEntry({ entry }: { readonly entry: Entry }) {
  const kind = KINDS[entry.__typename];
  return (
    <li class={`${kind}-entry ${isFailure(entry) ? 'failed' : ''}`}>
      <span class="sign" aria-hidden="true">
        {isFailure(entry) ? '✕' : SIGNS[kind]}
      </span>
      <Time of={entry.at} isExact />
      <span class="kind">{words.value.timeline.kinds[kind]}</span>
      <span class="what">{textOf(entry)}</span>
    </li>
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

/** The text of an entry. */
function textOf(entry: Entry) {
  const { timeline: say, values, fields, delivery } = words.value;
  switch (entry.__typename) {
    case 'TimelineStatusChange':
      return (
        <>
          <strong>{say.subjects[entry.subject]}</strong>{' '}
          {entry.previousStatus && <Named value={entry.previousStatus} />}
          {entry.previousStatus && ' → '}
          <StatusText value={entry.status} />
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
          <a href={addressOf(PATHS.requests, { requestId: entry.requestId })}>
            {[entry.method, entry.path].filter(Boolean).join(' ') || entry.operation}
          </a>
          : {entry.requestStatus}, {formatDuration(entry.ms, language.value)}{' '}
          {entry.requestCode && <code class="bad">{entry.requestCode}</code>}
        </>
      );
    case 'TimelinePhase':
      return <Named value={entry.phase} />;
    case 'TimelinePhaseFailure':
      return (
        <>
          <Named value={entry.phase} />, {delivery.attempt(entry.attempt)}:{' '}
          <code class="bad">{entry.code}</code> {entry.message}
          {entry.payerMayHaveBeenAsked && (
            <>
              {' '}
              <strong>{fields.payerMayHaveBeenAsked}.</strong>
            </>
          )}
          <Next at={entry.nextAttemptAt} />
        </>
      );
    case 'TimelineWebhook':
      return (
        <>
          <a href={pathOf.delivery(entry.deliveryId)}>{entry.event}</a> <Status value={entry.webhookStatus} />
          {entry.errorClass && ` (${entry.errorClass})`}
        </>
      );
    case 'TimelineWebhookAttempt':
      return (
        <>
          <a href={pathOf.delivery(entry.deliveryId)}>{entry.attemptEvent ?? fields.event}</a>,{' '}
          {delivery.attempt(entry.number)}: {entry.statusCode ?? delivery.notConnected},{' '}
          {formatDuration(entry.ms, language.value)}{' '}
          {entry.errorClass && <code class="bad">{entry.errorClass}</code>}
          <Next at={entry.nextAttemptAt} />
        </>
      );
    case 'TimelineLinkActivity':
      return (
        <>
          <a href={pathOf.link(entry.linkId)}>{values[entry.activity.type]}</a>
          {entry.activity.error && ` (${entry.activity.error})`}
        </>
      );
  }
}

/** A status with its sign; the text itself where it has no name here. */
function StatusText({ value }: { readonly value: string }) {
  return isNamed(value) ? <Status value={value} /> : <strong>{value}</strong>;
}

/** The time of the next attempt. */
function Next({ at }: { readonly at: string | null }) {
  return at === null ? null : (
    <>
      {' '}
      {words.value.fields.nextAttemptAt}: <Time of={at} />
    </>
  );
}
