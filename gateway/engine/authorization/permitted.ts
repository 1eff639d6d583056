import type { Principal } from '../../../subgraphs/platform/principal.ts';
import type { Refused } from '../planner/request-error.ts';
import { type Lack, lackOf, type Requirement } from './requirements.ts';

type MaybeLater<T> = T | Promise<T>;

/**
 * The part of an operation that a principal may have.
 *
 * @param principal who asks; `undefined` for the whole operation
 * @param prepare makes the operation for those who lack something
 */
export function permittedTo<Operation extends { readonly requirements: readonly Requirement[] }>(
  principal: Principal | null | undefined,
  whole: Operation | Refused,
  prepare: (lack: Lack) => MaybeLater<Operation | Refused>,
): MaybeLater<Operation | Refused> {
  if ('errors' in whole || principal === undefined) {
    return whole;
  }
  const lack = lackOf(whole.requirements, principal);
  return lack === null ? whole : prepare(lack);
}
