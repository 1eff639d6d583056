import type { ErrorCode } from '../platform/errors/catalogue.ts';
import { type Refusal, type Result, refuse } from '../platform/errors/refusal.ts';

/** How a surface tells faults of a body or a query: document 3's code, or document 2's for internal calls. */
export type FaultCode = 'INVALID_REQUEST' | 'VALIDATION_FAILED';

/** A fault of the caller's input: the message says what the value at the path must be. */
export function fault(
  path: readonly PropertyKey[],
  message: string,
  code: FaultCode = 'INVALID_REQUEST',
): Refusal {
  return { code, message, path: path.map(String) };
}

/** Every fault that was found. */
export function invalid(faults: readonly Refusal[]): Result<never> {
  return { ok: false, refusals: faults };
}

/** The tenant's configuration does not have this flow. */
export function flowNotAllowed(flow: string): Result<never> {
  return refuse('FLOW_NOT_ALLOWED', `The flow ${flow} is not enabled for this partner.`);
}

/** The link no longer works. No code is documented for one that expired: it has that of a revoked one. */
export function unusable(reason: 'revoked' | 'expired'): Result<never> {
  return reason === 'revoked' ? refuse('LINK_REVOKED') : refuse('LINK_REVOKED', 'The link has expired.');
}

/** Too little for an identity check: what is missing. */
export function insufficientData(missing: readonly string[]): Result<never> {
  const code: ErrorCode = 'INSUFFICIENT_USER_DATA';
  return invalid(missing.map((field) => ({ code, message: 'is missing', path: ['userData', field] })));
}
