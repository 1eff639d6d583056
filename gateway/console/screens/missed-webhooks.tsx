import { useEffect, useState } from 'preact/hooks';
import { formatNumber } from '../format.ts';
import { Confirm } from '../parts/dialog.tsx';
import { type Pending, PendingApproval, pendingOf } from '../parts/pending-approval.tsx';
import { Failed } from '../parts/states.tsx';
import { language, words } from '../settings.tsx';
import { useAction } from '../use-action.tsx';

interface MissedWebhooksProps {
  readonly endpointId: string;
  /** Changes when the URL has just been changed: then it asks by itself, if there are any. */
  readonly round: number;
}

/** Sends the webhooks that were made for former URLs of an endpoint to its current one, after counting them. */
export function MissedWebhooks({ endpointId, round }: MissedWebhooksProps) {
  const { endpointActs: say } = words.value;
  const [found, setFound] = useState<number>();
  const [note, setNote] = useState<string>();
  const [pending, setPending] = useState<Pending>();
  const action = useAction('replayDeliveries');
  const input = { endpointId, toCurrentUrl: true };
  const count = async (isAsked: boolean) => {
    setNote(undefined);
    const payload = await action.run({ input: { ...input, dryRun: true } });
    const { found: counted } = payload ?? {};
    if (counted) {
      setFound(counted);
    } else if (isAsked && counted === 0) {
      setNote(say.missedNone);
    }
  };
  // The round stands for the change.
  useEffect(() => {
    if (round > 0) {
      void count(false);
    }
  }, [round]);
  const start = async () => {
    const payload = await action.run({ input });
    if (payload) {
      const waiting = pendingOf(payload);
      setFound(undefined);
      setPending(waiting);
      setNote(waiting ? undefined : say.missedStarted);
    }
  };
  return (
    <>
      <button type="button" onClick={() => void count(true)} aria-disabled={action.isRunning}>
        {say.missed}
      </button>
      <span role="status">{note}</span>
      {pending && <PendingApproval {...pending} />}
      {action.error && found === undefined && <Failed error={action.error} />}
      {found !== undefined && (
        <Confirm
          title={say.missed}
          verb={say.missedStart}
          isRunning={action.isRunning}
          onConfirm={start}
          onClose={() => setFound(undefined)}
        >
          <p>{say.missedCount(found, formatNumber(found, language.value))}</p>
          {action.error && <Failed error={action.error} />}
        </Confirm>
      )}
    </>
  );
}
