import { retryOnConflict } from '../../platform/database/transaction.ts';
import type { UnitOfWork } from '../../platform/database/unit-of-work.ts';
import { type Result, succeed } from '../../platform/errors/result.ts';
import type { Principal } from '../../platform/principal.ts';
import { readRegistration } from '../commands/registration.ts';
import type { UsersDeps } from '../deps.ts';
import { alreadyUsed } from '../errors.ts';
import type { EnsureUser, RegisterUser } from '../port.ts';
import type { AccountState, Registration, UserProfile, UserRecord } from '../user.ts';

/**
 * Registers a user. Fails as {@link readRegistration} does; then with ERROR_REQUEST_MONEY_FULL for a phone number or an
 * email that a user of the tenant has.
 * @param body the JSON value of RegisterUserParams, numbers as LosslessNumber
 */
export async function registerUser(
  deps: Pick<UsersDeps, 'users' | 'tenants' | 'transaction' | 'clock'>,
  { tenantId }: Principal,
  body: unknown,
): Promise<Result<UserRecord>> {
  const tenant = await deps.tenants.find(tenantId);
  const at = deps.clock();
  const read = readRegistration(body, { countries: tenant?.countries ?? [], now: at });
  if (!read.ok) {
    return read;
  }
  return retryOnConflict(() =>
    deps.transaction(async (unit) => {
      const taken = await takenFields(deps, tenantId, read.value, unit);
      return taken.length > 0
        ? alreadyUsed(taken)
        : succeed(insert(deps, { tenantId, registration: read.value, at }, unit));
    }),
  );
}

/** {@link UsersPort.ensureRegistered} */
export async function ensureRegistered(
  deps: Pick<UsersDeps, 'users'>,
  input: RegisterUser,
  unit: UnitOfWork,
): Promise<Result<AccountState>> {
  const { tenantId, registration } = input;
  const { phoneNumber, email } = registration;
  const known = await deps.users.identify(tenantId, { phoneNumber }, unit);
  const holder = email === undefined ? undefined : await deps.users.identify(tenantId, { email }, unit);
  if (holder && holder.userId !== known?.userId) {
    return alreadyUsed(['email']);
  }
  if (known) {
    return succeed(known);
  }
  const { userId, blocked } = insert(deps, input, unit);
  return succeed({ userId, blocked });
}

/** {@link UsersPort.ensureByReference} */
export async function ensureByReference(
  { users, clock }: Pick<UsersDeps, 'users' | 'clock'>,
  { tenantId, referenceId, profile }: EnsureUser,
  unit: UnitOfWork,
): Promise<AccountState> {
  const found = await users.hold(tenantId, { referenceId }, unit);
  if (found) {
    return found;
  }
  const user = { tenantId, referenceId, profile, isRegistered: false, at: clock() };
  const { userId, blocked } = users.insert(user, unit);
  return { userId, blocked };
}

async function takenFields(
  { users }: Pick<UsersDeps, 'users'>,
  tenantId: string,
  { phoneNumber, email }: Registration,
  unit: UnitOfWork,
): Promise<('phoneNumber' | 'email')[]> {
  const byPhone = await users.identify(tenantId, { phoneNumber }, unit);
  const byEmail = email === undefined ? undefined : await users.identify(tenantId, { email }, unit);
  return [...(byPhone ? (['phoneNumber'] as const) : []), ...(byEmail ? (['email'] as const) : [])];
}

function insert(
  { users }: Pick<UsersDeps, 'users'>,
  { tenantId, registration, at }: RegisterUser,
  unit: UnitOfWork,
): UserRecord {
  return users.insert({ tenantId, profile: toProfile(registration), isRegistered: true, at }, unit);
}

function toProfile({ middleName, lastName2, countryCode, ...rest }: Registration): UserProfile {
  return {
    ...rest,
    ...(middleName === undefined ? {} : { secondName: middleName }),
    ...(lastName2 === undefined ? {} : { secondLastName: lastName2 }),
    country: countryCode,
  };
}
