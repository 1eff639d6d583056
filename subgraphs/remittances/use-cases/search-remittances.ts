import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { RemittanceService } from '../service.ts';

/**
 * Finds remittances by their correlationId, and by the phone number of the payer while they have no operation. Later
 * the search finds the operation instead.
 */
export function searchRemittances(
  remittances: Pick<RemittanceService, 'findByIds' | 'findByPayer'>,
): SearchSource {
  return {
    type: 'Remittance',
    search: (principal, text, first) =>
      hitsOf({
        ID: remittances.findByIds(principal, [text]).then((found) => found.keys()),
        PAYER_PHONE_NUMBER: remittances
          .findByPayer(principal, text, first)
          .then((found) => found.map(({ correlationId }) => correlationId)),
      }),
  };
}
