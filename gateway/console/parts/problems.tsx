import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import { Section } from './page.tsx';
import { CodeWords, Named, Time } from './values.tsx';

type Problem = ConsoleTimelinePageFragment['problems'][number];

type Action = Problem['nextAction'];

/** Actions without which the payment goes on, or may go on: nothing has failed for good. */
const OPEN: readonly Action[] = ['WAIT', 'ASK_OPERATOR'];

/** The step, unless a review or a block stopped it: these are no failures of a step. */
function titleOf({ nextAction, step }: Problem) {
  const { fields, values } = words.value;
  return nextAction === 'ASK_OPERATOR' ? (
    values.ON_HOLD
  ) : nextAction === 'UNBLOCK_USER' ? (
    fields.blocked
  ) : (
    <Named value={step} />
  );
}

interface ProblemsProps {
  readonly title: string;
  readonly of: readonly Problem[];
}

/** The step at which it stopped, the cause, and the possible action; nothing without problems. */
export function Problems({ title, of }: ProblemsProps) {
  const { timeline: say, fields } = words.value;
  if (of.length === 0) {
    return null;
  }
  return (
    <Section title={title}>
      <ul class="problems">
        {of.map((problem) => {
          const { step, code, message, nextAction, at, nextAttemptAt } = problem;
          const tone = OPEN.includes(nextAction) ? 'busy' : 'bad';
          return (
            <li key={`${step} ${at}`} class={tone}>
              <p>
                <strong>
                  <Icon name={tone} /> {titleOf(problem)}
                </strong>{' '}
                <Time of={at} />
              </p>
              <p>
                <CodeWords of={message} /> {code && <code>{code}</code>}
              </p>
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
          );
        })}
      </ul>
    </Section>
  );
}
