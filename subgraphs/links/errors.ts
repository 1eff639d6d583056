import type { ErrorCode } from '../kernel/errors/catalogue.ts';
import { fail, type Result } from '../kernel/errors/result.ts';
import { invalid } from '../kernel/json/read-body.ts';

/** The tenant's configuration does not have this flow. */
export function flowNotAllowed(flow: string): Result<never> {
  return fail('FLOW_NOT_ALLOWED', `The flow ${flow} is not enabled for this partner.`);
}

/** The link no longer works. No code is documented for an expired link: it gets the code of a revoked one. */
export function unusable(reason: 'revoked' | 'expired'): Result<never> {
  return reason === 'revoked' ? fail('LINK_REVOKED') : fail('LINK_REVOKED', 'The link has expired.');
}

/** Too little user data for an identity check; it names what is missing. */
export function insufficientData(missing: readonly string[]): Result<never> {
  const code: ErrorCode = 'INSUFFICIENT_USER_DATA';
  return invalid(missing.map((field) => ({ code, message: 'is missing', path: ['userData', field] })));
}
