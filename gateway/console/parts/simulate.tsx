import { useState } from 'preact/hooks';
import type { DocumentName, VariablesOf } from '../graph.ts';
import { isSandbox } from '../session.tsx';
import { words } from '../settings.tsx';
import { ConfirmedAction } from './confirmed-action.tsx';
import { Needs } from './needs.tsx';

/** One event that a person can simulate. */
interface Choice<Name extends DocumentName> {
  readonly label: string;
  readonly variables: VariablesOf<Name>;
}

interface SimulateProps<Name extends DocumentName> {
  /** The mutation. */
  readonly document: Name;
  /** The events that are possible now; without any there is no button. */
  readonly choices: readonly Choice<Name>[];
  readonly onDone: () => void;
}

/** A button that simulates an event of the record; only in the sandbox. */
export function Simulate<Name extends DocumentName>(props: SimulateProps<Name>) {
  return isSandbox() && props.choices.length > 0 ? (
    <Needs access="operate" act={words.value.simulate.verb}>
      <SimulateAction {...props} />
    </Needs>
  ) : null;
}

function SimulateAction<Name extends DocumentName>({ document, choices, onDone }: SimulateProps<Name>) {
  const { simulate: say } = words.value;
  const [chosen, choose] = useState(0);
  // After a simulation the record has other choices.
  const index = chosen < choices.length ? chosen : 0;
  const choice = choices[index];
  if (!choice) {
    return null;
  }
  return (
    <ConfirmedAction
      document={document}
      variables={choice.variables}
      verb={say.verb}
      icon="simulate"
      onDone={() => {
        choose(0);
        onDone();
      }}
    >
      <p>{say.how}</p>
      <p>
        <label for="simulated">{say.happens}</label>
        <select
          id="simulated"
          value={index}
          onChange={({ currentTarget }) => choose(currentTarget.selectedIndex)}
        >
          {choices.map(({ label }, nth) => (
            <option key={label} value={nth}>
              {label}
            </option>
          ))}
        </select>
      </p>
    </ConfirmedAction>
  );
}
