import { recordOf } from '../kernel/objects.ts';
import { textEnum } from './text-enum.ts';
import { type FailureCause as Cause, FAILURE_CAUSES, VERDICT_CAUSES } from './verdict.ts';

export type FailureCause = Cause;
export const FailureCause = textEnum<Cause>(
  'FailureCause',
  'Cause of a failed or rejected record. The cause of its verdict has the same name.',
  recordOf(FAILURE_CAUSES, (cause) => VERDICT_CAUSES[cause]),
);
