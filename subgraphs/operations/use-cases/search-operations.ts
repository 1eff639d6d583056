import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { OperationsDeps } from '../deps.ts';

/** Finds operations by id, by support code, by platId, and by the partner's own id of the requester. */
export function searchOperations({ operations }: Pick<OperationsDeps, 'operations'>): SearchSource {
  return {
    type: 'Operation',
    search: ({ accountId }, text, first) => {
      const newest = async (by: { code: string } | { recipientReferenceId: string }, limit: number) =>
        (await operations.newest({ ...by, accountId }, limit)).map(({ operationId }) => operationId);
      return hitsOf({
        ID: operations.findMany(accountId, [text]).then((found) => found.keys()),
        CODE: newest({ code: text }, 1),
        PLAT_ID: operations.findByPlatId(accountId, text),
        USER_REFERENCE_ID: newest({ recipientReferenceId: text }, first),
      });
    },
  };
}
