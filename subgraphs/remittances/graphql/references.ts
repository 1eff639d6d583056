import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { RemittanceService } from '../service.ts';
import { toRemittance } from './remittance.type.ts';

/** `Remittance @key(correlationId)`: all remittances of a batch in one read. */
export function resolveRemittances({
  findByIds,
  now,
}: Pick<RemittanceService, 'findByIds' | 'now'>): ReferenceResolver {
  return referenceBy(
    'correlationId',
    (ids, context) => findByIds(authorize(context), ids),
    (remittance) => toRemittance(remittance, now()),
  );
}
