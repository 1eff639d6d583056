import { hitsOf, type SearchSource } from '../../graph/search.ts';
import type { RemittanceService } from '../service.ts';

/** Finds remittances by their correlationId. */
export function searchRemittances(remittances: Pick<RemittanceService, 'findByIds'>): SearchSource {
  return {
    type: 'Remittance',
    search: (principal, text) =>
      hitsOf({ ID: remittances.findByIds(principal, [text]).then((found) => found.keys()) }),
  };
}
