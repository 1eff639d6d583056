import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import { Section } from './page.tsx';
import { Named, Time } from './values.tsx';

type Problem = ConsoleTimelinePageFragment['problems'][number];

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
        {of.map(({ step, code, message, nextAction, at, nextAttemptAt }) => (
          <li key={`${step} ${at}`}>
            <p>
              <strong>
                <Icon name="bad" /> <Named value={step} />
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
