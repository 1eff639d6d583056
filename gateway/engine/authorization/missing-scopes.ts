import type { RequestFailure } from '../request-error.ts';
import type { Requirement } from '../supergraph/requirements.ts';

/** The properties of a caller for authorization. */
export interface Caller {
  /** The scopes that it holds, by the names that `@requiresScopes` uses. */
  readonly scopes: readonly string[];
}

/** The requirements of an operation that a caller does not meet. */
export interface MissingScopes {
  /** One text for all callers that miss the same scopes. */
  readonly key: string;
  /** Each with the scopes that the caller lacks; empty if no scope is enough, and for an unknown caller. */
  readonly requirements: ReadonlyMap<Requirement, readonly string[]>;
  /** `extensions.code` of the errors of denied fields. */
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN';
}

function isMet({ scopes }: Requirement, held: readonly string[]): boolean {
  return scopes === null || scopes.some((all) => all.every((scope) => held.includes(scope)));
}

/** The scopes that a caller lacks of the list that it is nearest to. */
function lackedScopes({ scopes }: Requirement, { scopes: held }: Caller): readonly string[] {
  const lacked = (scopes ?? []).map((all) => all.filter((scope) => !held.includes(scope)));
  const [nearest = []] = lacked.toSorted((one, other) => one.length - other.length);
  return nearest;
}

/**
 * Finds the requirements that a caller does not meet; `null` when it meets all of them.
 *
 * @param caller `null` for an unknown caller
 */
export function findMissingScopes(
  requirements: readonly Requirement[],
  caller: Caller | null,
): MissingScopes | null {
  const held = caller?.scopes ?? [];
  let unmet: Requirement[] | null = null;
  for (const requirement of requirements) {
    if (caller === null || !isMet(requirement, held)) {
      unmet ??= [];
      unmet.push(requirement);
    }
  }
  if (unmet === null) {
    return null;
  }
  const code = caller === null ? 'UNAUTHENTICATED' : 'FORBIDDEN';
  const lacked = unmet.map((one) => [one, caller === null ? [] : lackedScopes(one, caller)] as const);
  const key = `${code} ${lacked.map(([{ id }, scopes]) => [id, ...scopes].join(' ')).join()}`;
  return { key, requirements: new Map(lacked), code };
}

type MaybeLater<T> = T | Promise<T>;

/**
 * The part of an operation that a caller may run.
 *
 * @param prepare makes the operation for callers with missing scopes
 */
export function authorizeOperation<Operation extends { readonly requirements: readonly Requirement[] }>(
  caller: Caller | null,
  whole: Operation | RequestFailure,
  prepare: (missingScopes: MissingScopes) => MaybeLater<Operation | RequestFailure>,
): MaybeLater<Operation | RequestFailure> {
  if ('errors' in whole) {
    return whole;
  }
  const missingScopes = findMissingScopes(whole.requirements, caller);
  return missingScopes === null ? whole : prepare(missingScopes);
}
