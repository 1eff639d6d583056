import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { DocumentName, VariablesOf } from '../graph.ts';
import { type PayloadOf, useAction } from '../use-action.tsx';
import { Confirm } from './dialog.tsx';
import { Icon, type IconName } from './icon.tsx';
import { type Pending, PendingApproval, pendingOf } from './pending-approval.tsx';
import { Failed } from './states.tsx';

interface ConfirmedActionProps<Name extends DocumentName> {
  /** The mutation. */
  readonly document: Name;
  readonly variables: VariablesOf<Name>;
  /** The label of the buttons. */
  readonly verb: string;
  /** The label of the button that asks; by default the verb. */
  readonly opener?: string;
  /** The question; by default the verb. */
  readonly title?: string;
  /** The label of the button that leaves everything as it is; by default "Cancel". */
  readonly dismissal?: string;
  /** Before the label. */
  readonly icon?: IconName;
  /** Whether the button stands in a row of a table. */
  readonly isSmall?: boolean;
  /** Called when the question opens. */
  readonly onOpen?: () => void;
  /** Called when it is done; not when it waits for an approval. */
  readonly onDone: (payload: PayloadOf<Name>) => void;
  /** The consequences, and warnings. */
  readonly children: ComponentChildren;
}

/** A button for actions with consequences: it asks for confirmation, and shows the reason for a failure. */
export function ConfirmedAction<Name extends DocumentName>(props: ConfirmedActionProps<Name>) {
  const { document, variables, verb, opener = verb, title = verb, dismissal, isSmall = false } = props;
  const { icon, onOpen, onDone, children } = props;
  const [isAsking, setAsking] = useState(false);
  const [pending, setPending] = useState<Pending>();
  const action = useAction(document);
  const open = () => {
    onOpen?.();
    setPending(undefined);
    action.forget();
    setAsking(true);
  };
  const run = async () => {
    const payload = await action.run(variables);
    if (payload !== undefined) {
      setAsking(false);
      const waiting = pendingOf(payload);
      setPending(waiting);
      if (waiting === undefined) {
        onDone(payload);
      }
    }
  };
  return (
    <>
      <button type="button" class={isSmall ? 'small' : undefined} onClick={open}>
        {icon && <Icon name={icon} />} {opener}
      </button>
      {pending && <PendingApproval {...pending} />}
      {isAsking && (
        <Confirm
          title={title}
          verb={verb}
          dismissal={dismissal}
          isRunning={action.isRunning}
          onConfirm={run}
          onClose={() => setAsking(false)}
        >
          {children}
          {action.error && <Failed error={action.error} />}
        </Confirm>
      )}
    </>
  );
}
