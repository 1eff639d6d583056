import { words } from '../settings.tsx';
import type { Step } from '../steps.ts';
import { Icon, type IconName } from './icon.tsx';
import { type NamedValue, Time } from './values.tsx';

/** The sign of each state, so that colour is not needed to distinguish them. */
const SIGNS: Readonly<Record<Step<NamedValue>['state'], IconName>> = {
  done: 'good',
  current: 'busy',
  failed: 'bad',
  ended: 'idle',
  ahead: 'ahead',
};

/** The progress of a payment: a line of steps, with the time of each. */
export function Stepper({ steps }: { readonly steps: readonly Step<NamedValue>[] }) {
  const { payment, values } = words.value;
  return (
    <ol class="steps" aria-label={payment.steps}>
      {steps.map(({ name, at, state }, index) => (
        <li
          // A payment can come back to a step.
          key={`${index} ${name}`}
          class={state}
          aria-current={state === 'current' ? 'step' : undefined}
        >
          <span class="sign">
            <Icon name={SIGNS[state]} />
          </span>
          <strong title={name}>{values[name]}</strong>
          <span class="hidden">, {payment.states[state]}</span>
          {at && <Time of={at} />}
        </li>
      ))}
    </ol>
  );
}
