import type { Principal } from '../../../subgraphs/platform/principal.ts';
import type { RequestFailure } from '../planner/request-error.ts';
import { findMissingScopes, type MissingScopes, type Requirement } from './requirements.ts';

type MaybeLater<T> = T | Promise<T>;

/**
 * The part of an operation that a principal may have.
 *
 * @param principal who asks; `undefined` for the whole operation
 * @param prepare makes the operation for those who lack something
 */
export function authorizeOperation<Operation extends { readonly requirements: readonly Requirement[] }>(
  principal: Principal | null | undefined,
  whole: Operation | RequestFailure,
  prepare: (missingScopes: MissingScopes) => MaybeLater<Operation | RequestFailure>,
): MaybeLater<Operation | RequestFailure> {
  if ('errors' in whole || principal === undefined) {
    return whole;
  }
  const missingScopes = findMissingScopes(whole.requirements, principal);
  return missingScopes === null ? whole : prepare(missingScopes);
}
