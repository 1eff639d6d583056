import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { RequestMoneyService } from '../service.ts';
import { toRequestMoney } from './request-money.type.ts';

/** `RequestMoney @key(referenceId)`: all money requests of a batch in one read. */
export function resolveRequestMonies(
  service: Pick<RequestMoneyService, 'findByReferences'>,
): ReferenceResolver {
  return referenceBy(
    'referenceId',
    (references, context) => service.findByReferences(authorize(context), references),
    toRequestMoney,
  );
}
