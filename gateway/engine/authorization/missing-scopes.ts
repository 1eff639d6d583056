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
  readonly requirements: ReadonlySet<Requirement>;
  /** `extensions.code` of the errors of denied fields. */
  readonly code: 'UNAUTHENTICATED' | 'FORBIDDEN';
}

function isMet({ scopes }: Requirement, held: readonly string[]): boolean {
  return scopes === null || scopes.some((all) => all.every((scope) => held.includes(scope)));
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
  return { key: `${code} ${unmet.map(({ id }) => id).join()}`, requirements: new Set(unmet), code };
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
