import { useId, useState } from 'preact/hooks';
import { Confirm } from '../parts/dialog.tsx';
import { Failed } from '../parts/states.tsx';
import { words } from '../settings.tsx';
import { type Action, useAction } from '../use-action.tsx';

interface ActOnProps {
  /** The id of the remittance. */
  readonly id: string;
  /** The name of the remittance, for people who do not see the row. */
  readonly subject: string;
  readonly onDone: () => void;
}

/** Makes the next attempt of a remittance due now. */
export function Retry({ id, ...props }: ActOnProps) {
  const action = useAction('retryRemittance');
  const { operators: say } = words.value;
  const run = (reason: string) => action.run({ input: { id, ...(reason !== '' && { reason }) } });
  return (
    <Act
      {...props}
      verb={say.retry}
      consequence={say.retryWhat}
      needsReason={false}
      action={action}
      run={run}
    />
  );
}

/** Ends a remittance. */
export function End({ id, ...props }: ActOnProps) {
  const action = useAction('failRemittance');
  const { operators: say } = words.value;
  const run = (reason: string) => action.run({ input: { id, reason } });
  return <Act {...props} verb={say.fail} consequence={say.failWhat} needsReason action={action} run={run} />;
}

interface ActProps extends Omit<ActOnProps, 'id'> {
  /** The label of the button. */
  readonly verb: string;
  /** The consequences. */
  readonly consequence: string;
  readonly needsReason: boolean;
  readonly action: Pick<Action<'retryRemittance'>, 'isRunning' | 'error' | 'forget'>;
  /** @returns undefined if it failed */
  readonly run: (reason: string) => Promise<object | undefined>;
}

/** A button for an operator's act. It asks for confirmation and a reason, which the operator log keeps. */
function Act({ verb, subject, consequence, needsReason, action, run, onDone }: ActProps) {
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const field = useId();
  const { operators: say } = words.value;
  const open = () => {
    action.forget();
    setAsking(true);
  };
  const confirm = async () => {
    if ((await run(reason)) !== undefined) {
      setAsking(false);
      onDone();
    }
  };
  return (
    <>
      <button type="button" class="small" aria-label={`${verb}: ${subject}`} onClick={open}>
        {verb}
      </button>
      {isAsking && (
        <Confirm
          title={`${verb}: ${subject}`}
          verb={verb}
          isRunning={action.isRunning}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <p>{consequence}</p>
          <p>
            <label for={field}>{needsReason ? say.reason : say.reasonIfAny}</label>
            <input
              id={field}
              maxLength={500}
              required={needsReason}
              value={reason}
              onInput={({ currentTarget }) => setReason(currentTarget.value)}
            />
          </p>
          {action.error && <Failed error={action.error} />}
        </Confirm>
      )}
    </>
  );
}
