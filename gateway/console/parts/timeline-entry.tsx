import { addressOf } from '../filters.ts';
import { formatClock, formatDuration } from '../format.ts';
import { hasDetails, StatusOf } from '../screens/facts.tsx';
import { PATHS, pathOf } from '../screens/paths.ts';
import { isAdmin, may } from '../session.tsx';
import { language, words, zone } from '../settings.tsx';
import type { Attempt, TimelineItem, WebhookItem } from '../timeline-items.ts';
import { ConfirmedAction } from './confirmed-action.tsx';
import { Icon, type IconName } from './icon.tsx';
import { CodeWords, isNamed, Named, Status, Time } from './values.tsx';

type Entry = Extract<TimelineItem, { readonly kind: 'entry' }>['entry'];

/** The kind of an entry. Each kind has its own sign, so that colour is not needed to distinguish them. */
type Kind = 'status' | 'request' | 'phase' | 'webhook' | 'link';
const SIGNS: Readonly<Record<Kind, IconName>> = {
  status: 'busy',
  request: 'requests',
  phase: 'phase',
  webhook: 'deliveries',
  link: 'links',
};
const KINDS: Readonly<Record<Entry['__typename'], Kind>> = {
  TimelineStatusChange: 'status',
  TimelineRequest: 'request',
  TimelinePhase: 'phase',
  TimelinePhaseFailure: 'phase',
  TimelineLinkActivity: 'link',
};

/** One row: its kind, time of day and content. */
export function TimelineRow({ item }: { readonly item: TimelineItem }) {
  const kind = item.kind === 'webhook' ? 'webhook' : KINDS[item.entry.__typename];
  const hasFailed = item.kind === 'webhook' ? isUndelivered(item) : isFailure(item.entry);
  return (
    <li class={`${kind}-entry ${hasFailed ? 'failed' : ''}`}>
      <span class="sign">
        <Icon name={hasFailed ? 'bad' : SIGNS[kind]} />
      </span>
      <Clock of={item.at} />
      <span class="kind">{words.value.timeline.kinds[kind]}</span>
      <div class="what">{item.kind === 'webhook' ? <Webhook of={item} /> : textOf(item.entry)}</div>
    </li>
  );
}

/** The time of day in the zone that the reader chose; its title has all of it in UTC. */
function Clock({ of }: { readonly of: string }) {
  return (
    <time dateTime={of} title={of}>
      {formatClock(of, language.value, zone.value)}
    </time>
  );
}

/** Whether its newest attempt failed. */
function isUndelivered({ change, attempts }: WebhookItem): boolean {
  return (
    change?.webhookStatus !== 'DELIVERED' &&
    (attempts.at(-1)?.errorClass ?? change?.errorClass ?? null) !== null
  );
}

/** A webhook in one row; its attempts are folded. */
function Webhook({ of: { id, change, attempts } }: { readonly of: WebhookItem }) {
  const { fields, payment } = words.value;
  const last = attempts.at(-1);
  return (
    <>
      <a href={pathOf.delivery(id)}>{change?.event ?? last?.attemptEvent ?? fields.event}</a>{' '}
      {change && <Status value={change.webhookStatus} />}
      {change?.webhookStatus === 'DEAD_LETTERED' && may('support') && <SendAgain id={id} />}
      {attempts.length > 0 && (
        <details class="attempts">
          <summary>{payment.attempts(attempts.length)}</summary>
          <ol>
            {attempts.map((attempt) => (
              <li key={attempt.id}>
                <AttemptOf attempt={attempt} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </>
  );
}

/** Sends a webhook again that was given up. Its event changes the row. */
function SendAgain({ id }: { readonly id: string }) {
  const { delivery } = words.value;
  return (
    <>
      {' '}
      <ConfirmedAction
        document="replayDelivery"
        variables={{ input: { id } }}
        verb={delivery.replay}
        isSmall
        onDone={() => undefined}
      >
        <p>{delivery.replayHow}</p>
      </ConfirmedAction>
    </>
  );
}

function AttemptOf({
  attempt: { at, number, statusCode, ms, errorClass, nextAttemptAt },
}: {
  readonly attempt: Attempt;
}) {
  const { delivery } = words.value;
  return (
    <>
      <Time of={at} isExact /> · {delivery.attempt(number)}: {statusCode ?? delivery.notConnected},{' '}
      {formatDuration(ms, language.value)}{' '}
      {errorClass && (
        <span class="bad">
          <CodeWords of={errorClass} />
        </span>
      )}
      <Next at={nextAttemptAt} />
    </>
  );
}

function isFailure(entry: Entry): boolean {
  switch (entry.__typename) {
    case 'TimelinePhaseFailure':
      return true;
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
          <StatusText of={entry} />
        </>
      );
    case 'TimelineRequest':
      return (
        <>
          <RequestName of={entry} />: {entry.requestStatus}, {formatDuration(entry.ms, language.value)}{' '}
          {entry.requestCode && <code class="bad">{entry.requestCode}</code>}
        </>
      );
    case 'TimelinePhase':
      return <Named value={entry.phase} />;
    case 'TimelinePhaseFailure':
      return (
        <>
          <Named value={entry.phase} />, {delivery.attempt(entry.attempt)}: {entry.message}{' '}
          <code class="bad">{entry.code}</code>
          {entry.payerMayHaveBeenAsked && (
            <>
              {' '}
              <strong>{fields.payerMayHaveBeenAsked}.</strong>
            </>
          )}
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

/** Leads to the request log, for those who may read it. */
function RequestName({
  of: { method, path, operation, requestId },
}: {
  readonly of: Extract<Entry, { readonly __typename: 'TimelineRequest' }>;
}) {
  const name = [method, path].filter(Boolean).join(' ') || operation;
  return isAdmin() ? (
    <a href={addressOf(PATHS.requests, { requestId })}>{name}</a>
  ) : (
    <span title={requestId}>{name}</span>
  );
}

/** A status with its sign, and its details if they say more; the text itself where it has no name here. */
function StatusText({
  of: { status, statusDetails },
}: {
  readonly of: Extract<Entry, { readonly __typename: 'TimelineStatusChange' }>;
}) {
  if (!isNamed(status)) {
    return <strong>{status}</strong>;
  }
  const named = { status, statusDetails: statusDetails ?? '' };
  return (
    <>
      <StatusOf of={named} />
      {hasDetails(named) && (
        <>
          {' '}
          (<CodeWords of={named.statusDetails} />)
        </>
      )}
    </>
  );
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
