import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { OperationsDeps } from '../deps.ts';

/**
 * Finds operations by id, by support code, by platId, by the partner's own id of the requester, and by the phone number of the
 * payer, who is a contact of the requester.
 */
export function searchOperations({
  operations,
  users,
}: Pick<OperationsDeps, 'operations' | 'users'>): SearchSource {
  return {
    type: 'Operation',
    search: ({ accountId }, text, first) => {
      const newest = async (by: { code: string } | { recipientReferenceId: string }, limit: number) =>
        (await operations.newest({ ...by, accountId }, limit)).map(({ operationId }) => operationId);
      const ofPayer = async () => {
        const contacts = await users.contactsByPhone(accountId, text, first);
        return contacts.length === 0 ? [] : operations.findByContacts(accountId, contacts, first);
      };
      return hitsOf({
        ID: operations.findMany(accountId, [text]).then((found) => found.keys()),
        CODE: newest({ code: text }, 1),
        PLAT_ID: operations.findByPlatId(accountId, text),
        USER_REFERENCE_ID: newest({ recipientReferenceId: text }, first),
        PAYER_PHONE_NUMBER: ofPayer(),
      });
    },
  };
}
