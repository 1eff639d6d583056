import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { ContactRecord } from '../contact.ts';
import type { UsersDeps } from '../deps.ts';
import { noSuchUser } from '../errors.ts';
import { locateUser } from './locate-user.ts';

const MOST = 100;

/**
 * The contacts that a user asks for money most often, at most `limit`: most requests first, ties by the latest. Fails with
 * BAD_USER_INPUT for a limit that is no integer of 1 to 100.
 */
export async function frequentContacts(
  { contacts }: Pick<UsersDeps, 'contacts'>,
  { accountId }: Principal,
  userId: string,
  limit: number,
): Promise<Result<ContactRecord[]>> {
  return Number.isInteger(limit) && limit >= 1 && limit <= MOST
    ? succeed(await contacts.frequent({ accountId, userId }, limit))
    : fail('BAD_USER_INPUT', `limit takes an integer of 1 to ${MOST}.`);
}

/**
 * The same for a user token as it was sent, and a limit in digits. Fails too with ERROR_SUBSCRIBER_NOT_FOUND, and with
 * USER_TENANT_MISMATCH for another tenant's user.
 */
export async function frequentContactsByToken(
  deps: Pick<UsersDeps, 'contacts' | 'users'>,
  principal: Principal,
  userToken: string,
  limit: string,
): Promise<Result<ContactRecord[]>> {
  const found = await frequentContacts(
    deps,
    principal,
    userToken,
    /^\d{1,3}$/.test(limit) ? Number(limit) : Number.NaN,
  );
  if (!found.ok || found.value.length > 0) {
    return found;
  }
  switch (await locateUser(deps, principal.accountId, userToken)) {
    case 'own':
      return found;
    case 'foreign':
      return fail('USER_TENANT_MISMATCH');
    case 'unknown':
      return noSuchUser();
  }
}
