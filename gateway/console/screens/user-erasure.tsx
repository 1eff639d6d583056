import { useState } from 'preact/hooks';
import { ConfirmedAction } from '../parts/confirmed-action.tsx';
import { words } from '../settings.tsx';

/** Most characters of a reason, as the graph allows. */
const LONGEST_REASON = 500;

/** Erases the personal data of a user. The graph refuses it while the user has an open payment or a link that works. */
export function EraseUser({ id, onDone }: { readonly id: string; readonly onDone: () => void }) {
  const { user: say } = words.value;
  const [reason, setReason] = useState('');
  return (
    <ConfirmedAction
      document="eraseUser"
      variables={{ input: { id, reason } }}
      opener={say.erase}
      title={say.eraseTitle}
      verb={say.eraseVerb}
      onDone={onDone}
    >
      <p>{say.eraseWhat}</p>
      <p>{say.eraseNeeds}</p>
      <p>
        <label for="erase-reason">{say.eraseReason}</label>
        <input
          id="erase-reason"
          required
          maxLength={LONGEST_REASON}
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />
      </p>
    </ConfirmedAction>
  );
}
