import type { AccountId } from '../../kernel/account.ts';
import { retryOnConflict } from '../../kernel/database/transaction.ts';
import type { UnitOfWork } from '../../kernel/database/unit-of-work.ts';
import { type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import { readRegistration } from '../commands/registration.ts';
import type { UsersDeps } from '../deps.ts';
import { alreadyUsed } from '../errors.ts';
import type { EnsureUser, RegisterUser } from '../port.ts';
import type { AccountState, Registration, UserProfile, UserRecord } from '../user.ts';

/**
 * Registers a user. Fails as {@link readRegistration} does; then with ERROR_REQUEST_MONEY_FULL for a phone number or an
 * email that a user of the account has.
 * @param body the JSON value of RegisterUserParams, numbers as LosslessNumber
 */
export async function registerUser(
  deps: Pick<UsersDeps, 'users' | 'tenants' | 'transaction' | 'accountClock'>,
  { accountId }: Principal,
  body: unknown,
): Promise<Result<UserRecord>> {
  const tenant = await deps.tenants.find(accountId);
  const at = deps.accountClock(accountId);
  const read = readRegistration(body, { countries: tenant?.countries ?? [], now: at });
  if (!read.ok) {
    return read;
  }
  return retryOnConflict(() =>
    deps.transaction(async (unit) => {
      const taken = await takenFields(deps, accountId, read.value, unit);
      return taken.length > 0
        ? alreadyUsed(taken)
        : succeed(insert(deps, { accountId, registration: read.value, at }, unit));
    }),
  );
}

/** {@link UsersPort.ensureRegistered} */
export async function ensureRegistered(
  deps: Pick<UsersDeps, 'users'>,
  input: RegisterUser,
  unit: UnitOfWork,
): Promise<Result<AccountState>> {
  const { accountId, registration } = input;
  const { byPhone, byEmail } = await deps.users.identifyRegistered(accountId, registration, unit);
  if (byEmail && byEmail.userId !== byPhone?.userId) {
    return alreadyUsed(['email']);
  }
  if (byPhone) {
    return succeed(byPhone);
  }
  const { userId, blocked } = insert(deps, input, unit);
  return succeed({ userId, blocked });
}

/** {@link UsersPort.ensureByReference} */
export async function ensureByReference(
  deps: Pick<UsersDeps, 'users' | 'accountClock'>,
  input: EnsureUser,
  unit: UnitOfWork,
): Promise<AccountState> {
  const { accountId, referenceId } = input;
  return (await deps.users.hold(accountId, { referenceId }, unit)) ?? insertByReference(deps, input, unit);
}

/** {@link UsersPort.insertByReference} */
export function insertByReference(
  { users, accountClock }: Pick<UsersDeps, 'users' | 'accountClock'>,
  { accountId, referenceId, profile }: EnsureUser,
  unit: UnitOfWork,
): AccountState {
  const user = { accountId, referenceId, profile, isRegistered: false, at: accountClock(accountId) };
  const { userId, blocked } = users.insert(user, unit);
  return { userId, blocked };
}

async function takenFields(
  { users }: Pick<UsersDeps, 'users'>,
  accountId: AccountId,
  registration: Registration,
  unit: UnitOfWork,
): Promise<('phoneNumber' | 'email')[]> {
  const { byPhone, byEmail } = await users.identifyRegistered(accountId, registration, unit);
  return [...(byPhone ? (['phoneNumber'] as const) : []), ...(byEmail ? (['email'] as const) : [])];
}

function insert(
  { users }: Pick<UsersDeps, 'users'>,
  { accountId, registration, at }: RegisterUser,
  unit: UnitOfWork,
): UserRecord {
  return users.insert({ accountId, profile: toProfile(registration), isRegistered: true, at }, unit);
}

function toProfile({ middleName, lastName2, countryCode, ...rest }: Registration): UserProfile {
  return {
    ...rest,
    ...(middleName === undefined ? {} : { secondName: middleName }),
    ...(lastName2 === undefined ? {} : { secondLastName: lastName2 }),
    country: countryCode,
  };
}
