import type { ConsoleTimelinePageFragment } from '../documents/types.ts';
import { wordsOfCode } from '../language/codes.ts';
import { language, words } from '../settings.tsx';
import { Icon } from './icon.tsx';
import { Section } from './page.tsx';
import { CodeWords, Named, Time } from './values.tsx';

type Problem = ConsoleTimelinePageFragment['problems'][number];

/** Actions without which the payment goes on, or may go on: nothing has failed for good. */
const OPEN: readonly Problem['nextAction'][] = ['WAIT', 'ASK_OPERATOR'];

/** The reason in words, with its code. Details that only repeat the step are left out. */
function Reason({ of: { step, code, message } }: { readonly of: Problem }) {
  const isNew = wordsOfCode(message, language.value) !== wordsOfCode(step, language.value);
  return isNew || code ? (
    <p>
      {isNew && <CodeWords of={message} />} {code && <code>{code}</code>}
    </p>
  ) : null;
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
          const { step, nextAction, at, nextAttemptAt } = problem;
          const tone = OPEN.includes(nextAction) ? 'busy' : 'bad';
          return (
            <li key={`${step} ${at}`} class={tone}>
              <p>
                <strong>
                  <Icon name={tone} /> <Named value={step} />
                </strong>{' '}
                <Time of={at} />
              </p>
              <Reason of={problem} />
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
