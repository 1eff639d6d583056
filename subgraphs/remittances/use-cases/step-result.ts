import type { AttemptCounts, Committed } from '../../runtime/work/attempt.ts';
import type { Phase } from '../lifecycle.ts';
import type { RemittanceDocument } from '../store/model.ts';
import type { Held } from '../store/remittance-repository.ts';
import type { PhaseFailure } from './transitions.ts';
import type { WithdrawalStep } from './withdraw-request.ts';

/**
 * Outcomes of steps besides those of every job; `advanced`: a phase was done, even the last one; `withdrawing`: the
 * withdrawal of the request from its payer has started, and its result is not known yet.
 */
export type StepOutcome = 'advanced' | 'succeeded' | 'failed' | 'retried' | 'withdrawing';

/** Counts of steps by outcome since the process started. */
export type StepCounts = AttemptCounts<StepOutcome>;

export type StepResult = Committed<RemittanceDocument, StepOutcome>;

export function withdrawalResult(held: Held, made: WithdrawalStep): StepResult {
  switch (made.kind) {
    case 'paid':
      return stepResult(held, ['succeeded']);
    case 'failed':
      return stepResult(held, ['failed'], made.failure);
    case 'pending':
      return stepResult(held, ['withdrawing'], made.failure);
  }
}

/** @param outcomes the first one is in the log line */
export function stepResult(
  { document }: Held,
  outcomes: readonly [StepResult['outcomes'][number], ...StepOutcome[]],
  failure?: PhaseFailure,
): StepResult {
  return { outcomes, line: stepLine(document, outcomes[0], failure), errorType: failure?.code };
}

/** Phases that are done together with the one in the log line. */
export function withPassed(line: StepResult['line'], passed: readonly Phase[]): StepResult['line'] {
  return passed.length > 0 ? { ...line, fields: { ...line.fields, passed } } : line;
}

export function stepLine(
  { attempts }: RemittanceDocument,
  outcome: StepResult['outcomes'][number],
  failure?: PhaseFailure,
): StepResult['line'] {
  return {
    level: outcome === 'crashLooping' ? 'error' : 'info',
    event: 'step',
    fields: { attempts, outcome, code: failure?.code, reason: failure?.message },
  };
}
