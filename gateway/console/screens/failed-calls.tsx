import type { ComponentChildren } from 'preact';
import type { ConsoleCallFailureFragment, ConsoleFailedCallFragment } from '../documents/types.ts';
import { addressOf } from '../filters.ts';
import { Section } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Time } from '../parts/values.tsx';
import { isAdmin } from '../session.tsx';
import { words } from '../settings.tsx';
import { useQuery } from '../use-query.tsx';
import { PATHS } from './paths.ts';

/** Why a call was refused: the documented message with its code, and the next step. */
export function Refusal({ of: { code, message, nextAction } }: { readonly of: ConsoleCallFailureFragment }) {
  const { people, timeline } = words.value;
  return (
    <>
      {message} <code class="bad">{code}</code>{' '}
      {nextAction ? timeline.actions[nextAction] : message && people.noRepeat}
    </>
  );
}

interface FailedCallsProps {
  /** An id that the calls named: of a record, or the partner's id of a user. */
  readonly reference: string;
}

interface FailedCallListProps extends FailedCallsProps {
  /** Shown if there are none. */
  readonly otherwise: ComponentChildren;
}

/** The failed calls that named an id, as a list of results. Nothing else may be left of them. */
export function FailedCallList({ reference, otherwise }: FailedCallListProps) {
  const { data, error, reload } = useQuery('failedCalls', { reference });
  if (!data) {
    return error ? <Failed error={error} onRetry={reload} /> : <Loading place="rows" />;
  }
  return data.failedCalls.length > 0 ? <List reference={reference} calls={data.failedCalls} /> : otherwise;
}

/** The failed calls that named a user; nothing without any. */
export function FailedCalls({ reference }: FailedCallsProps) {
  const { data, error, reload } = useQuery('failedCalls', { reference });
  if (error) {
    return <Failed error={error} onRetry={reload} />;
  }
  return data && data.failedCalls.length > 0 ? (
    <Section title={words.value.people.failedRequests}>
      <List reference={reference} calls={data.failedCalls} />
    </Section>
  ) : null;
}

interface ListProps extends FailedCallsProps {
  readonly calls: readonly ConsoleFailedCallFragment[];
}

/** Only administrators may open the request log, which has all calls about the id. */
function List({ reference, calls }: ListProps) {
  return (
    <ul class="results">
      {calls.map(({ id, at, failure }) => (
        <li key={id}>
          <span class="kind">{words.value.people.failedRequest}</span>
          {isAdmin() ? (
            <a href={addressOf(PATHS.requests, { subject: reference })}>
              <Time of={at} />
            </a>
          ) : (
            <Time of={at} />
          )}
          <span>
            <Refusal of={failure} />
          </span>
        </li>
      ))}
    </ul>
  );
}
