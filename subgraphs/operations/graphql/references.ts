import { authorize } from '../../graph/authorize.ts';
import { type ReferenceResolver, referenceBy } from '../../graph/subgraph.ts';
import type { OperationService } from '../service.ts';
import { toOperation } from './operation.type.ts';

/** `Operation @key(id)`: all operations of a batch in one read. */
export function resolveOperations(operations: Pick<OperationService, 'findByIds'>): ReferenceResolver {
  return referenceBy('id', (ids, context) => operations.findByIds(authorize(context), ids), toOperation);
}
