import { recordOf } from '../kernel/objects.ts';
import { textEnum } from './text-enum.ts';
import { type FailureCause as Cause, FAILURE_CAUSES, VERDICT_CAUSES } from './verdict.ts';

export type FailureCause = Cause;
export const FailureCause = textEnum<Cause>(
  'FailureCause',
  "Cause of a failed or rejected record, set when it ends. Its verdict has the cause of the same name until the user's data is erased.",
  recordOf(FAILURE_CAUSES, (cause) => VERDICT_CAUSES[cause]),
);
