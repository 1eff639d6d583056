import { PATHS } from '../screens/paths.ts';
import { words } from '../settings.tsx';
import { Time } from './values.tsx';

/** A stored request for approval, in place of a change. */
export interface Pending {
  readonly id: string;
  readonly expiresAt: string;
}

/** The stored request in a payload; undefined if the change was made. */
export function pendingOf(payload: object): Pending | undefined {
  const { pendingApproval } = payload as { readonly pendingApproval?: Pending | null };
  return pendingApproval ?? undefined;
}

/** Says that nothing was changed yet, and until when an administrator who is another person can approve. */
export function PendingApproval({ expiresAt }: Pending) {
  const { approvals: say } = words.value;
  return (
    <p class="pending" role="status">
      {say.waits} <Time of={expiresAt} />. <a href={PATHS.approvals}>{say.seeAll}</a>
    </p>
  );
}
