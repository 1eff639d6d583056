import { fail, type Result, succeed } from '../../kernel/errors/result.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { OperationsDeps } from '../deps.ts';
import type { OperationRecord } from '../store/model.ts';
import { findContactByPhone } from './payer.ts';

/** Most operations of document 1's history, which has no pages. Connections have the rest. */
const LONGEST_HISTORY = 1_000;

/** The user of the history, document 1's userToken, and a contact's phone number to narrow it down. */
export interface HistoryRequest {
  userId: string;
  destinationPhone?: string | undefined;
}

/**
 * A user's newest operations, 1,000 at most, newest first. With a phone number only those with that contact, and none when
 * no contact has it. Failures: ERROR_SUBSCRIBER_NOT_FOUND; USER_TENANT_MISMATCH for another tenant's user.
 */
export async function readHistory(
  { operations, users, tenants }: Pick<OperationsDeps, 'operations' | 'users' | 'tenants'>,
  { accountId }: Principal,
  { userId, destinationPhone }: HistoryRequest,
): Promise<Result<OperationRecord[]>> {
  const owner = await users.locate(accountId, userId);
  if (owner !== 'own') {
    return fail(owner === 'foreign' ? 'USER_TENANT_MISMATCH' : 'ERROR_SUBSCRIBER_NOT_FOUND');
  }
  const filter = { accountId, userId };
  if (destinationPhone === undefined) {
    return succeed(await operations.newest(filter, LONGEST_HISTORY));
  }
  const tenant = await tenants.find(accountId);
  const contact = tenant && (await findContactByPhone(users, tenant, filter, destinationPhone));
  return succeed(
    contact ? await operations.newest({ ...filter, contactId: contact.contactId }, LONGEST_HISTORY) : [],
  );
}
