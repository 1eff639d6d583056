import type { RemittancePhase, RemittanceStatus } from '../documents/types.ts';
import { words } from '../settings.tsx';
import { Section } from './page.tsx';
import { Time } from './values.tsx';

interface WhyProps {
  readonly remittance: {
    readonly status: RemittanceStatus;
    readonly phase: RemittancePhase;
    readonly attempts: number;
    readonly isStuck: boolean;
    readonly nextAttemptAt: string | null;
    readonly lastError: {
      readonly code: string;
      readonly message: string;
      readonly occurredAt: string;
    } | null;
  };
}

/** Where an atomic call stands: the step, the cause, and what comes next. */
export function Why({ remittance }: WhyProps) {
  const { operation, why, fields, values } = words.value;
  const { status, phase, attempts, isStuck, nextAttemptAt, lastError } = remittance;
  const isRunning = status === 'IN_PROGRESS';
  if (!isRunning && !lastError) {
    return null;
  }
  return (
    <Section title={operation.why}>
      <p>
        {isRunning
          ? isStuck
            ? why.stuck(values[phase])
            : why.running
          : status === 'FAILED'
            ? why.failed
            : why.done}{' '}
        {isRunning && attempts > 0 && why.retry}
      </p>
      {lastError && (
        <p>
          {values[phase]}: <code>{lastError.code}</code> {lastError.message} (
          <Time of={lastError.occurredAt} />
          {attempts > 0 && `, ${fields.attempts}: ${attempts}`})
        </p>
      )}
      {isRunning && nextAttemptAt && (
        <p>
          {fields.nextAttemptAt}: <Time of={nextAttemptAt} />
        </p>
      )}
    </Section>
  );
}
