import { type ErrorCode, hasServerFault, isErrorCode } from '../kernel/errors/catalogue.ts';
import { graphqlError } from './authorize.ts';
import type { UserError } from './user-error.type.ts';

/** Every mutation's payload. */
export interface Fallible {
  userErrors: UserError[];
}

/** A refusal whose code in GraphQL is not that of the REST document. */
const RENAMED: Partial<Readonly<Record<ErrorCode, ErrorCode>>> = {
  IDENTITY_VALIDATOR_NOT_CONFIGURED: 'PROVIDER_NOT_CONFIGURED',
};

/** Refusals that the REST surfaces answer with a 5xx: calling again does not help until an operator has acted. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set(['PROVIDER_NOT_CONFIGURED']);

/**
 * The payload of a mutation as the public graph shows it. A fault of ours or of a provider, which is a 5xx on the REST
 * surfaces, is a top-level error in GraphQL, not a reason in `userErrors` (decisions, section 5, "Mutations").
 * @throws GraphQLError with the code and message of a fault
 */
export function inGraphql<Payload extends Fallible>(payload: Payload): Payload {
  const userErrors = payload.userErrors.map(rename);
  for (const { code, message } of userErrors) {
    if (isErrorCode(code) && hasServerFault(code) && !REFUSALS.has(code)) {
      throw graphqlError(code, message);
    }
  }
  return { ...payload, userErrors };
}

function rename(error: UserError): UserError {
  const { code } = error;
  const renamed = isErrorCode(code) ? RENAMED[code] : undefined;
  return renamed === undefined ? error : { ...error, code: renamed };
}
