import type { AccountId } from '../../kernel/account.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import type { UsersDeps } from '../deps.ts';
import type { UserProfile } from '../user.ts';

const NAMES = ['firstName', 'secondName', 'lastName', 'secondLastName'] as const;

/**
 * Adds missing fields to a user's profile. Names belong together: a profile with any of them keeps its own. Writes nothing
 * when nothing is new.
 */
export async function completeProfile(
  { users }: Pick<UsersDeps, 'users'>,
  input: { accountId: AccountId; userId: string; profile: UserProfile; at: Date },
  unit: UnitOfWork,
): Promise<void> {
  const user = await users.find(input.accountId, input.userId, unit);
  if (!user || user.erasureRequestedAt) {
    return;
  }
  const isNamed = NAMES.some((name) => user.profile[name] !== undefined);
  const known = new Map<string, unknown>(Object.entries(user.profile));
  const added = Object.entries(input.profile).filter(
    ([field, value]) =>
      value !== undefined &&
      known.get(field) === undefined &&
      !(isNamed && NAMES.some((name) => name === field)),
  );
  if (added.length > 0) {
    users.setProfile(input, { ...user.profile, ...Object.fromEntries(added) }, unit);
  }
}
